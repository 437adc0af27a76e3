"""The program's own store of logins and its own signer, and logging out, of all three clients."""

import asyncio
import base64
import gc
import hashlib
import json
import secrets
import threading
import unittest
import weakref
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import anyio

import libmcp
from libmcp import AsyncClient, Client, Server, SignRequest
from libmcp.anyio import AnyioClient

from .support import PATIENCE, Web, browse, until


class Keeper:
    """The store of a program. One `load` with `lock` holds it until `unlock`."""

    def __init__(self):
        self.kept, self.asked, self.broken = {}, [], {}
        self.lock = threading.Lock()

    def ask(self, what):
        self.asked.append(what)
        return self.broken.get(what, lambda: None)()

    def load(self, key, lock):
        self.ask("load")
        if lock:
            self.ask("lock")
            self.lock.acquire()
        return self.kept.get(key)

    def save(self, key, text):
        self.ask("save")
        assert self.lock.locked(), "saved without the lock"
        self.kept[key] = text

    def unlock(self, key):
        self.lock.release()  # Which raises if it is unlocked twice.
        self.ask("unlock")

    def is_free(self):
        return not self.lock.locked()


class LaterKeeper(Keeper):
    """The same with coroutines. The lock is anyio's, made in the loop."""

    def __init__(self):
        super().__init__()
        self.place = anyio.Semaphore(1, max_value=1)

    async def load(self, key, lock):
        await anyio.sleep(0)
        self.ask("load")
        if lock:
            self.ask("lock")
            await self.place.acquire()
        return self.kept.get(key)

    async def save(self, key, text):
        await anyio.sleep(0)
        self.ask("save")
        assert not self.is_free(), "saved without the lock"
        self.kept[key] = text

    async def unlock(self, key):
        await anyio.sleep(0)
        self.place.release()
        self.ask("unlock")

    def is_free(self):
        return self.place.value == 1


class _Blocking:
    """A Client with the methods of an asynchronous one, so that a test is written once."""

    def __init__(self, config, **handlers):
        self.client = Client(config, **handlers)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await anyio.to_thread.run_sync(self.client.close)

    async def call_tool(self, *words, **options):
        return await anyio.to_thread.run_sync(lambda: self.client.call_tool(*words, **options))

    async def logout(self, timeout=None):
        await anyio.to_thread.run_sync(self.client.logout, timeout)


SURFACES = (
    ("Client", _Blocking, Keeper, "asyncio"),
    ("AsyncClient", AsyncClient, Keeper, "asyncio"),
    ("AsyncClient, coroutines", AsyncClient, LaterKeeper, "asyncio"),
    ("AnyioClient on asyncio", AnyioClient, LaterKeeper, "asyncio"),
    ("AnyioClient on trio", AnyioClient, LaterKeeper, "trio"),
    ("AnyioClient on trio, functions", AnyioClient, Keeper, "trio"),
)


def everywhere(test):
    """Runs a test with each client, in each loop, with a store of functions and one of coroutines."""

    def run(self):
        async def limited(make, keeper):
            with anyio.fail_after(4 * PATIENCE):
                await test(self, make, keeper)

        for name, make, keeper, backend in SURFACES:
            with self.subTest(name):
                anyio.run(limited, make, keeper, backend=backend)

    return run


async def until_async(condition):
    with anyio.fail_after(PATIENCE):
        while not condition():
            await anyio.sleep(0.002)


class Person:
    """Agrees to each page, and counts them."""

    def __init__(self):
        self.pages = []

    def __call__(self, login):
        self.pages.append(login.kind)
        threading.Thread(target=browse, args=(login.url,), daemon=True).start()


async def echo(client, **options):
    return (await client.call_tool("echo", {"text": "in"}, timeout=PATIENCE, **options)).text


class Stores(unittest.TestCase):
    def setUp(self):
        self.failures = []

    def refused(self, caught, says):
        self.assertEqual(caught.exception.status, libmcp.Status.AUTH)
        self.assertIn(says, str(caught.exception))

    @everywhere
    async def test_a_program_stores_logins(self, make, store):
        keeper, person = store(), Person()
        handlers = {"login_store": keeper, "on_login": person, "on_error": self.failures.append}
        with Web("login=yes") as server:
            async with make({"url": server.url, "auth": {}}, **handlers) as client:
                self.assertEqual(await echo(client), "in")
            self.assertEqual(person.pages, ["authorize"])
            [(key, text)] = keeper.kept.items()
            self.assertIn("127.0.0.1", key)
            self.assertIn("token-", text)
            keeper.asked.clear()
            async with make({"url": server.url, "auth": {"store": "application"}}, **handlers) as client:
                self.assertEqual(await echo(client), "in")
                self.assertIn("load", keeper.asked)
                self.assertEqual(len(person.pages), 1)
                await client.logout(PATIENCE)
                self.assertNotIn("token-", keeper.kept[key])
                self.assertEqual(await echo(client), "in")
                self.assertEqual(len(person.pages), 2)
            await until_async(keeper.is_free)
            self.assertEqual(server.stats()["violations"], [])
        self.assertEqual(self.failures, [])

    @everywhere
    async def test_a_store_that_fails_is_told_and_ends_its_calls(self, make, store):
        def locked():
            raise OSError("the keychain is\0 locked\ud800")

        def leave():
            raise SystemExit("the program wants to end") if make is _Blocking else OSError("the program wants to end")

        for fails, says in ((locked, "the keychain is locked?"), (leave, "the program wants to end")):
            keeper, failures = store(), []
            keeper.broken["load"] = fails
            handlers = {"login_store": keeper, "on_login": Person(), "on_error": failures.append}
            with Web("login=yes") as server:
                config = {"url": server.url, "auth": {}, "reconnect": {"initial_ms": 10, "max_ms": 100}}
                async with make(config, **handlers) as client:
                    with self.assertRaises(libmcp.Error) as caught:
                        await echo(client)
                    self.refused(caught, says)
                    self.assertIn(says[:15], str(failures[0]))
                    del keeper.broken["load"]
                    # The store is asked again by the next attempt to connect.
                    self.assertEqual(await echo(client, when_unavailable="wait"), "in")
                await until_async(keeper.is_free)

    @everywhere
    async def test_a_login_that_cannot_be_saved_works_until_the_client_ends(self, make, store):
        def fail():
            raise OSError("no room")

        keeper, person, failures = store(), Person(), []
        keeper.broken["save"] = keeper.broken["unlock"] = fail
        handlers = {"login_store": keeper, "on_login": person, "on_error": failures.append}
        with Web("login=yes") as server:
            async with make({"url": server.url, "auth": {}}, **handlers) as client:
                for _ in range(2):
                    self.assertEqual(await echo(client), "in")
                # The registration, and the login.
                await until_async(lambda: len(failures) == 4)
                self.assertEqual([str(failure) for failure in failures], ["no room"] * 4)
                self.assertEqual(len(person.pages), 1)
        self.assertTrue(keeper.is_free())

    @everywhere
    async def test_what_a_store_gives_must_be_a_text(self, make, store):
        class Wrong(store):
            def load(self, key, lock):
                return 7

        with Web("login=yes") as server:
            handlers = {"login_store": Wrong(), "on_error": self.failures.append}
            async with make({"url": server.url, "auth": {}}, **handlers) as client:
                with self.assertRaises(libmcp.Error) as caught:
                    await echo(client)
                self.refused(caught, "gave a int")
        self.assertIsInstance(self.failures.pop(), TypeError)
        self.failures.clear()

    def test_a_coroutine_is_refused_by_a_client_without_a_loop(self):
        class Later:
            async def load(self, key, lock):
                return None

        with Web("login=yes") as server:
            with Client({"url": server.url, "auth": {}}, login_store=Later(), on_error=self.failures.append) as client:
                with self.assertRaises(libmcp.Error) as caught:
                    client.call_tool("echo", timeout=PATIENCE)
                self.refused(caught, "AsyncClient")
        self.assertIsInstance(self.failures[0], TypeError)

    @everywhere
    async def test_a_lock_that_came_too_late_is_released(self, make, store):
        if store is Keeper and make is not _Blocking:
            return  # In a loop a plain function must not wait.
        keeper = store()
        place = keeper.lock if store is Keeper else keeper.place
        (place.acquire if store is Keeper else place.acquire_nowait)()  # Another process has it.
        with Web("login=yes") as server:
            handlers = {"login_store": keeper, "on_error": self.failures.append}
            async with make({"url": server.url, "auth": {"patience_ms": 1000}}, **handlers) as client:
                while "lock" not in keeper.asked:  # A busy machine may be late with what it has to read before.
                    with self.assertRaises(libmcp.Error) as caught:
                        await client.logout(PATIENCE)
                    self.refused(caught, "did not answer")
                place.release()
                # The library asks for it while it could still take the answer; after that the binding does it, and tells.
                await until_async(lambda: "unlock" in keeper.asked and keeper.is_free())
            self.assertEqual({error.status for error in self.failures} | {libmcp.Status.AUTH}, {libmcp.Status.AUTH})
            self.failures.clear()

    @everywhere
    async def test_a_save_under_way_ends_though_its_client_is_closed(self, make, store):
        if store is Keeper and make is not _Blocking:
            return  # In a loop a plain function is over before anything else happens.
        inside, go_on, ended = threading.Event(), threading.Event(), []

        class Slow(store):
            if store is Keeper:

                def save(self, key, text):
                    if "token-" in text:  # Not the registration, which is saved before the person is asked.
                        inside.set()
                        go_on.wait(PATIENCE)
                    super().save(key, text)

            else:

                async def save(self, key, text):
                    if "token-" in text:
                        inside.set()
                        await until_async(go_on.is_set)
                    await super().save(key, text)

        async def call(client):
            try:
                await echo(client)
            except libmcp.Error as error:
                ended.append(type(error))

        keeper = Slow()
        with Web("login=yes") as server:
            async with anyio.create_task_group() as group:
                async with make({"url": server.url, "auth": {}}, login_store=keeper, on_login=Person()) as client:
                    group.start_soon(call, client)
                    await until_async(inside.is_set)
                    # The close of a client of anyio waits for the store.
                    of = getattr(client, "client", client)
                    threading.Thread(target=lambda: until(lambda: of.state == libmcp.State.CLOSED) or go_on.set()).start()
            await until_async(lambda: keeper.is_free() and keeper.kept)
        self.assertEqual(ended, [libmcp.Closed])
        self.assertIn("token-", str(keeper.kept))

    @everywhere
    async def test_a_logout_ends_when_it_is_not_waited_for(self, make, store):
        asked, over = threading.Event(), threading.Event()
        self.addCleanup(over.set)

        class Stuck:
            if store is LaterKeeper:

                async def load(self, key, lock):
                    asked.set()
                    await anyio.sleep_forever()

            elif make is _Blocking:

                def load(self, key, lock):
                    asked.set()
                    over.wait(PATIENCE)
                    raise OSError("it is over")

            else:

                def load(self, key, lock):
                    asked.set()
                    return anyio.sleep_forever()

        ended = []
        with Web("login=yes") as server:
            async with anyio.create_task_group() as group:

                async def log_out(client):
                    try:
                        await client.logout()
                    except libmcp.Error as error:
                        ended.append(error)

                handlers = {"login_store": Stuck(), "on_error": self.failures.append}
                async with make({"url": server.url, "auth": {}}, **handlers) as client:
                    with self.assertRaises(TimeoutError):
                        await client.logout(0.05)
                    if make is not _Blocking:
                        with anyio.move_on_after(0.05) as scope:
                            await client.logout()
                        self.assertTrue(scope.cancelled_caught)
                    group.start_soon(log_out, client)
                    await until_async(asked.is_set)
        self.assertEqual([type(error) for error in ended], [libmcp.Closed])

    def test_a_logout_needs_a_login(self):
        client = Client({"command": "x"})
        with self.assertRaises(libmcp.Error) as caught:
            client.logout()
        self.assertEqual(caught.exception.status, libmcp.Status.UNSUPPORTED)
        client.close()
        with self.assertRaises(libmcp.Closed):
            client.logout()

    def test_stores_and_signers_are_checked_when_the_client_is_made(self):
        keeper, sign = Keeper(), lambda request: b""
        credentials = {
            "type": "client_credentials", "issuer": "https://a.example", "client_id": "c", "signer": "application",
            "signing_algorithm": "ES256",
        }
        url = "http://127.0.0.1:1/mcp"
        for auth, handlers, says in (
            (None, {"login_store": keeper}, "never asked"),
            (None, {"on_sign": sign}, "never called"),
            ({"store": "application"}, {}, "login_store"),
            ({"store": "memory"}, {"login_store": keeper}, "never asked"),
            ({"store_directory": "/tmp/x"}, {"login_store": keeper}, "never asked"),
            ({}, {"on_sign": sign}, "never called"),
            (credentials, {}, "on_sign"),
        ):
            config = {"url": url} if auth is None else {"url": url, "auth": auth}
            with self.subTest(auth=auth), self.assertRaisesRegex(libmcp.InvalidArgument, says):
                Client(config, **handlers)
        Client({"url": url, "auth": credentials}, login_store=keeper, on_sign=sign).close()
        Client(json.dumps({"url": url, "auth": {}}), login_store=keeper).close()
        Client({"url": url, "auth": {"store": None, "store_directory": None}}, login_store=keeper).close()

    def test_a_forgotten_client_leaves_its_store_to_the_collector(self):
        def used(server):
            keeper = Keeper()
            client = Client({"url": server.url, "auth": {}}, login_store=keeper, on_login=Person())
            self.assertEqual(client.call_tool("echo", {"text": "in"}, timeout=PATIENCE).text, "in")
            return weakref.ref(keeper)

        async def used_in_a_loop(server):
            keeper = Keeper()
            client = AsyncClient({"url": server.url, "auth": {}}, login_store=keeper, on_login=Person())
            self.assertEqual(await echo(client), "in")
            return weakref.ref(keeper)

        def is_gone(known):
            gc.collect()
            return known() is None

        with Web("login=yes") as server:
            known = used(server)
            until(lambda: is_gone(known))
            known = asyncio.run(used_in_a_loop(server))
            until(lambda: is_gone(known))


class Authority(ThreadingHTTPServer):
    """Gives tokens to a client whose assertions a function takes for signed, and takes them back."""

    daemon_threads = True

    def __init__(self, is_signed):
        super().__init__(("127.0.0.1", 0), _Pages)
        self.is_signed, self.given, self.tokens = is_signed, 0, set()
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class _Pages(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def tell(self, status, what):
        body = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        issuer = self.server.issuer
        if self.path != "/.well-known/oauth-authorization-server":
            self.tell(404, {})
            return
        self.tell(200, {
            "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
            "revocation_endpoint": f"{issuer}/revoke", "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"], "grant_types_supported": ["client_credentials"],
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
            "token_endpoint_auth_signing_alg_values_supported": ["ES256"],
        })

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        head, body, signature = form.get("client_assertion", [".."])[0].split(".")
        if not self.server.is_signed(f"{head}.{body}", signature):
            self.tell(401, {"error": "invalid_client"})
        elif self.path == "/revoke":
            self.server.tokens.discard(form["token"][0])
            self.tell(200, {})
        else:
            self.server.given += 1
            token = f"token-{self.server.given}"
            self.server.tokens.add(token)
            self.tell(200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600})


@contextmanager
def guarded(is_signed):
    """An authorization server, and an MCP server that takes its tokens only; gives the first, and the configuration of a service."""
    with Authority(is_signed) as authority:
        server = Server("guarded", auth={"authorization_servers": [authority.issuer], "application": True})

        @server.on("token")
        def judge(asked):
            if asked["token"] not in authority.tokens:
                raise libmcp.Refusal("unknown")
            return {"principal": "nightly"}

        @server.tool
        def echo(text: str) -> str:
            return text

        with server:
            url = server.serve("http://127.0.0.1:0/mcp")["url"]
            auth = {
                "type": "client_credentials", "issuer": authority.issuer, "client_id": "nightly", "signer": "application",
                "signing_algorithm": "ES256", "key_id": "in the chip",
            }
            yield authority, {"url": url, "auth": auth}


# ECDSA on P-256 (FIPS 186-5), so that signing and verifying need no package.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def plus(one, other):
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % P == 0:
        return None
    if one == other:
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, P) % P
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P) % P
    x = (slope**2 - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def times(number, point):
    total = None
    while number:
        if number & 1:
            total = plus(total, point)
        point, number = plus(point, point), number >> 1
    return total


class Key:
    """A key that only the program has."""

    def __init__(self):
        self.secret = secrets.randbelow(ORDER - 1) + 1
        self.public = times(self.secret, BASE)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        while True:
            nonce = secrets.randbelow(ORDER - 1) + 1
            r = times(nonce, BASE)[0] % ORDER
            s = pow(nonce, -1, ORDER) * (digest(request.input) + r * self.secret) % ORDER
            if r and s:
                return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def has_signed(self, text, signature):
        raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        if len(raw) != 64 or not (0 < r < ORDER and 0 < s < ORDER):
            return False
        inverse = pow(s, -1, ORDER)
        point = plus(times(digest(text) * inverse % ORDER, BASE), times(r * inverse % ORDER, self.public))
        return point is not None and point[0] % ORDER == r


def digest(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


class Signers(unittest.TestCase):
    @everywhere
    async def test_a_service_signs_with_its_own_key(self, make, store):
        key = Key()

        async def later(request):
            await anyio.sleep(0)
            return key(request)

        with guarded(key.has_signed) as (authority, config):
            async with make(config, on_sign=key if store is Keeper else later) as client:
                for _ in range(2):
                    self.assertEqual(await echo(client), "in")
                [request] = key.requests
                wanted = SignRequest("assertion", "ES256", request.input, "in the chip", "nightly", authority.issuer)
                self.assertEqual(request, wanted)
                self.assertEqual((authority.given, len(authority.tokens)), (1, 1))
                await client.logout()
                self.assertEqual(authority.tokens, set(), "the token is revoked")
                self.assertEqual(await echo(client), "in")
                self.assertEqual(authority.given, 2)

    @everywhere
    async def test_a_signer_that_fails_is_told_and_ends_its_calls(self, make, store):
        key = Key()

        def busy(_):
            raise OSError("the chip is busy")

        with guarded(key.has_signed) as (authority, config):
            for sign, says, tells in (
                (Key(), "invalid_client", False),
                (lambda _: "c2hvcnQ", "signature", False),
                (lambda _: b"short", "signature", False),
                (lambda _: "a\0b", "NUL", True),
                (lambda _: None, "gave a NoneType", True),
                (busy, "the chip is busy", True),
            ):
                failures = []
                async with make(config, on_sign=sign, on_error=failures.append) as client:
                    with self.assertRaisesRegex(libmcp.Error, says) as caught:
                        await echo(client)
                self.assertEqual(caught.exception.status, libmcp.Status.AUTH)
                if tells:
                    # The program is told after the library has its answer.
                    await anyio.to_thread.run_sync(until, lambda failures=failures: failures)
                self.assertEqual(bool(failures), tells, failures)
            self.assertEqual(authority.given, 0)
