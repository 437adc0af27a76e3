"""Uses a server over HTTP that wants to know who is there.

It says which page to open, and goes on when the person has logged in there.
"""

import argparse
import fcntl
import os
import sys
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from libmcp import Client, Config, Error, Login

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--redirect", metavar="URI", help="have the browser come back to the program, and ask where it was sent to")
parser.add_argument("--token", action="store_true", help="log in with the token in the variable MCP_TOKEN")
parser.add_argument("--store", metavar="FOLDER", help="a folder in which the program stores the login")
parser.add_argument("--logout", action="store_true", help="log out at the end")
parser.add_argument("url")
given = parser.parse_args()


def log_in(login: Login) -> None:
    """Does the program's part; raising gives the login up."""
    if login.kind == "token":
        if login.refused:
            raise RuntimeError("the server refuses the token in MCP_TOKEN")
        login.give(os.environ["MCP_TOKEN"])
    elif login.kind == "authorize":
        # The whole URL, so that the person sees who asks. A program with windows would open the browser, on a click.
        print(f"open this page to log in at {login.issuer}:\n{login.url}", flush=True)
        if not login.listens:
            print("then paste the address that the browser was sent to:", flush=True)
            line = sys.stdin.readline().strip()
            if not line:
                raise RuntimeError("the person gave up")
            login.complete(line)
    else:
        raise RuntimeError(f"this program has no {login.kind}")


class Store:
    """Stores each login in a file. Beside it is a file that processes lock, which the system releases when one of them ends.

    A keychain or a database takes its place in a program; without either, "store_directory" does all of this.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.locked: TextIO | None = None

    def place(self, key: str, suffix: str = "") -> Path:
        return self.folder / (quote(key, safe="") + suffix)

    def load(self, key: str, lock: bool) -> str | None:
        if lock:
            file = open(self.place(key, ".lock"), "w", opener=private)
            fcntl.flock(file, fcntl.LOCK_EX)
            self.locked = file
        try:
            return self.place(key).read_text()
        except FileNotFoundError:
            return None
        except OSError:
            if lock:
                self.unlock(key)
            raise

    def save(self, key: str, text: str) -> None:
        """Replaces the file as a whole."""
        with open(self.place(key, ".new"), "w", opener=private) as file:
            file.write(text)
        self.place(key, ".new").replace(self.place(key))

    def unlock(self, key: str) -> None:
        if self.locked:
            self.locked.close()


def private(path: str, flags: int) -> int:
    """Only this person may read it."""
    return os.open(path, flags, 0o600)


# A person with a browser; "store_directory" would keep the login.
config: Config = {"url": given.url, "auth": {}}
auth = config["auth"]
if given.redirect:
    auth["redirect_uri"] = given.redirect
if given.token:
    auth["type"] = "bearer"
store = Store(given.store) if given.store else None
with Client(config, on_login=log_in, login_store=store) as client:
    try:
        client.connect(timeout=300)
    except Error as error:
        sys.exit(f"not logged in: {error}")
    print(f"logged in; the server has {len(list(client.tools()))} tools")
    if given.logout:
        client.logout(timeout=60)
        print("logged out")
