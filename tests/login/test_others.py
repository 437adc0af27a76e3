"""The program `mcp` at the authorization servers of the SDKs and frameworks that people build servers with (`others`): a person logs in by
a browser that a script plays, and what later commands make of the login while its tokens end and are revoked."""

import contextlib
import json
import re
import shlex
import shutil
import sys

import pytest
import support

OTHERS = support.ROOT / "tests/login/others"
# Each kind has servers of its own, and mostly waits.
AT_ONCE = 3
# How long a token lasts that ends while it is used: longer than one command takes on a busy machine. How often it is used until then.
SHORT_SECONDS, MOST_CALLS = 4, 500
POST, BASIC, PUBLIC = "client_secret_post", "client_secret_basic", "none"
# Keycloak compiles itself when it is started first.
SLOW_START = 240

# A kind of authorization server: what its server is started with, whether it revokes tokens, and how a client that was registered by hand
# may prove itself there. A proxy passes on to the SDK for Python.
KINDS = {
    "Keycloak": ("keycloak", None, True, [POST, BASIC, PUBLIC]),
    "the Python SDK 1": ("python-1", "sdk", True, [POST, BASIC]),
    "the Python SDK 2": ("python-2", "sdk", True, [POST, BASIC]),
    "FastMCP": ("fastmcp", "fastmcp", True, [POST, BASIC]),
    "FastMCP's proxy": ("fastmcp", "fastmcp-proxy", True, []),
    "the TypeScript SDK": ("npm", "demo", True, [POST]),
    "the TypeScript SDK's proxy": ("npm", "proxy", False, []),
}
PROXIES = {"fastmcp-proxy", "proxy"}
# What is large to install and slow to start.
DEEP = {"Keycloak"}


def server(program, folder, of, *words):
    if of == "keycloak":
        place = support.peer(of)
        return [sys.executable, OTHERS / "keycloak.py", place["folder"], place["java"], support.free_port(), program, folder]
    if of != "npm":
        return [support.peer(of), OTHERS / "server.py", *words]
    # Node looks for packages from where a module is.
    return [support.peer("login")["node"], shutil.copy(OTHERS / "server.mjs", f"{support.peer('npm')}/login-others.mjs"), *words]


def origin(url):
    return url.removesuffix("/mcp")


class Person:
    """A person at one kind of server, who agrees to what the browser shows."""

    def __init__(self, program, name, stack):
        of, kind, self.revokes, self.given = KINDS[name]
        self.program, self.folder = program, support.emptied(f"login-others/{support.file_name(name)}")

        def start(log, *words):
            served = stack.enter_context(support.Served(server(program, self.folder, *words), self.folder / log))
            return served.first_line(SLOW_START if of == "keycloak" else support.START).split()

        [upstream] = start("upstream", "python-2", "sdk") if kind in PROXIES else [None]
        self.url, *control = start("server", of, kind, *([origin(upstream)] if upstream else []))
        # What does as it is told: the server itself, unless another port is said; and that where the tokens are made.
        [self.server] = control or [self.url]
        self.issuer = upstream or self.server
        self.has_devices = of == "keycloak"
        # What opens pages is a program of this name, found on the path.
        browser, self.log = self.folder / "bin/xdg-open", self.folder / "pages"
        browser.parent.mkdir()
        self.log.touch()
        self.browser = [support.peer("login")["node"], support.peer("login")["browser"]]
        agree = shlex.join([*self.browser, "agree"])
        log = shlex.quote(str(self.log))
        browser.write_text(f'#!/bin/sh\necho "$1" >>{log}\nexec {agree} "$1" >{log}.err 2>&1\n')
        browser.chmod(0o755)
        (self.folder / "home").mkdir()
        if upstream:
            self.register("proxy", "of-the-proxy", POST, f"{origin(self.url)}/auth/callback")

    def environment(self):
        left_out = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SSH_CONNECTION", "SSH_TTY"]
        path = f"{self.folder / 'bin'}:{support.environment(None)['PATH']}"
        return {"HOME": self.folder / "home", "PATH": path, "DISPLAY": ":0", **dict.fromkeys(left_out)}

    def mcp(self, *words):
        return support.run([self.program, *words], env=self.environment(), cwd=self.folder)

    def works(self, says, *words):
        support.says(self.mcp(*words), [says])

    def lacks_login(self, *words):
        """The exit code where a login is needed, and what the person is told."""
        self.mcp(*words).refused(3, "mcp login")

    def logs_in(self):
        self.works("logged in", "login", self.url)

    def logs_out(self):
        self.works("logged out", "logout", self.url)

    def uses_login(self):
        self.works("echo", "tools", self.url)
        self.works("hello", "call", self.url, "echo", "text=hello")

    def control(self, url, **wish):
        """Has a server do something; gives what it has counted."""
        port = origin(url).rpartition(":")[2]
        answer = support.spoken(port, "POST", "/control", "Content-Type: application/json\r\n", json.dumps(wish))
        return json.loads(answer.partition("\r\n\r\n")[2])

    def register(self, name, secret, method, redirect):
        self.control(self.issuer, client={"id": name, "secret": secret, "method": method, "redirect": redirect})

    def has_cost(self, registrations, pages):
        """The registrations at the server itself, and the pages of the person."""
        found = self.control(self.server)["registrations"], len(self.log.read_text().splitlines())
        assert found == (registrations, pages), "registrations and pages"


def one_login_and_one_registration_and_every_later_command_uses_them(person):
    person.lacks_login("tools", person.url)
    person.has_cost(0, 0)
    person.logs_in()
    person.uses_login()
    person.works("accepts", "auth", "status", person.url)
    person.has_cost(1, 1)


def a_token_that_ends_or_is_revoked_is_renewed_without_the_person(person):
    person.control(person.issuer, ttl=SHORT_SECONDS, revoke="access")

    def refreshes():
        return person.control(person.issuer)["refreshes"]

    begun = refreshes()
    person.works("echo", "tools", person.url)
    renewed = refreshes()
    assert renewed > begun, "the server took the login without a refresh"
    for _ in range(MOST_CALLS):
        person.works("echo", "tools", person.url)
        if refreshes() > renewed:
            break
    else:
        pytest.fail(f"a token of {SHORT_SECONDS} s was sent {MOST_CALLS} times and never renewed")
    # The next one lasts.
    person.control(person.issuer, ttl=3600, revoke="access")
    person.uses_login()
    person.has_cost(1, 1)


def a_login_that_is_revoked_is_told_and_made_again_with_the_same_client(person):
    person.control(person.issuer, revoke="all")
    person.lacks_login("tools", person.url)
    person.has_cost(1, 1)
    person.logs_in()
    person.uses_login()
    person.has_cost(1, 2)


def a_logout_revokes_the_tokens_and_forgets_the_login(person):
    person.logs_out()
    person.lacks_login("tools", person.url)
    assert (person.control(person.server)["revocations"] > 0) == person.revokes
    person.has_cost(1, 2)


def a_login_that_is_not_finished_costs_no_second_registration(person):
    for _ in range(2):
        # No page comes back on the standard input.
        finished = person.mcp("login", person.url, "--no-browser")
        assert finished.code != 0, finished.story()
    person.has_cost(2, 2)
    person.logs_in()
    person.uses_login()
    person.logs_out()
    person.has_cost(2, 3)


def a_client_that_was_registered_by_hand_logs_in_renews_and_is_used_by_later_commands(person):
    for number, method in enumerate(person.given):
        name, secret, port = f"by-hand-{number}", "s3cret +/%=", support.free_port()
        person.register(name, secret, method, f"http://127.0.0.1:{port}/callback")
        known = ["--client-id", name, "--callback-port", port]
        if method != PUBLIC:
            file = person.folder / "secret"
            file.write_text(secret)
            known += ["--client-secret-file", file]
        person.works("logged in", "login", person.url, *known)
        person.uses_login()
        person.control(person.issuer, revoke="access")
        person.uses_login()
        person.has_cost(2, 4 + number)
        # The SDK for Python demands a secret in the form of a revocation, where Basic may have none.
        if method == BASIC:
            person.mcp("logout", person.url)
        else:
            person.logs_out()
        person.lacks_login("tools", person.url)


def a_code_that_is_entered_in_another_browser_is_a_login_unless_the_person_refuses(person):
    if not person.has_devices:
        return
    for number, (wish, code, says) in enumerate([("deny", 3, "denied"), ("agree", 0, "logged in")]):
        log = person.folder / f"device-{number}"
        with support.Served([person.program, "login", person.url, "--device"], log, env=person.environment(), cwd=person.folder) as login:
            support.until("the code is shown", lambda: login.child.poll() is not None or page_of(log))
            page = page_of(log)
            assert page, log.read_text()
            support.run([*person.browser, wish, page]).well()
            stdout, _ = login.child.communicate(timeout=support.START)
            told = stdout + log.read_text()
            assert login.child.returncode == code and says in told, f"{login.child.returncode} {told}"
    person.uses_login()
    person.logs_out()
    person.lacks_login("tools", person.url)


def page_of(log):
    """The page that has the code in it."""
    found = re.search(r"https?://\S*user_code=\S+(?=\s)", log.read_text())
    return found and found[0]


# What a person and a program do, one after the other: what fails leaves a login behind that is not the next one's to judge.
ACTS = [
    one_login_and_one_registration_and_every_later_command_uses_them,
    a_token_that_ends_or_is_revoked_is_renewed_without_the_person,
    a_login_that_is_revoked_is_told_and_made_again_with_the_same_client,
    a_logout_revokes_the_tokens_and_forgets_the_login,
    a_login_that_is_not_finished_costs_no_second_registration,
    a_client_that_was_registered_by_hand_logs_in_renews_and_is_used_by_later_commands,
    a_code_that_is_entered_in_another_browser_is_a_login_unless_the_person_refuses,
]


def play(program, name):
    with contextlib.ExitStack() as stack:
        person = Person(program, name, stack)
        for act in ACTS:
            act(person)


@pytest.fixture(scope="module")
def plays(request, program):
    return support.begin(request, "name", lambda name: play(program, name), AT_ONCE)


@pytest.mark.parametrize("name", [pytest.param(it, id=it, marks=[pytest.mark.deep] if it in DEEP else []) for it in KINDS])
def test_mcp_logs_in_at(plays, name, request):
    plays[request.node.callspec.id].result()
