"""Uses a server over HTTP that wants to know who is there.

It says which page to open, and goes on when the person has logged in there.
"""

import argparse
import os
import sys

from libmcp import Client, Error

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--redirect", metavar="URI", help="have the browser come back to the program, and ask where it was sent to")
parser.add_argument("--token", action="store_true", help="log in with the token in the variable MCP_TOKEN")
parser.add_argument("url")
given = parser.parse_args()


def log_in(login):
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


auth = {}  # A person with a browser; "store_directory" would keep the login.
if given.redirect:
    auth["redirect_uri"] = given.redirect
if given.token:
    auth["type"] = "bearer"
with Client({"url": given.url, "auth": auth}, on_login=log_in) as client:
    try:
        client.connect(timeout=300)
    except Error as error:
        sys.exit(f"not logged in: {error}")
    print(f"logged in; the server has {len(list(client.tools()))} tools")
