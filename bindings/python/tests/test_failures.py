"""What a program does wrong, or a person interrupts: it is told at once, and nothing waits for ever."""

import asyncio
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from dataclasses import dataclass
from pathlib import Path

import libmcp
from libmcp.anyio import AnyioClient

from .support import PATIENCE, example, scripted, until

SAMPLING = "sampling/createMessage"
ASK = {"method": SAMPLING, "wait_ms": 20000}

CONNECT = """
import sys, libmcp
client = libmcp.Client({config!r})
try:
    client.connect()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    client.close()
    print("closed", flush=True)
"""

CONNECT_ASYNC = """
import asyncio, libmcp
async def main():
    client = libmcp.AsyncClient({config!r})
    await client.connect()
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", flush=True)
print("closed", flush=True)
"""


class Unfit(unittest.TestCase):
    def test_a_type_without_a_schema_is_told_with_the_parameter_that_has_it(self):
        @dataclass
        class Deep:
            at: list[complex]

        def tool(where: dict[str, Deep]) -> str:
            return ""

        with self.assertRaisesRegex(TypeError, "^'where': 'at': <class 'complex'> has no JSON schema"):
            libmcp.Server("x").tool(tool)


class NamesOfOthers(unittest.TestCase):
    """What is called otherwise in the official SDK or in FastMCP."""

    def test_an_attribute_error_says_the_name_that_is_here(self):
        kinds = [libmcp.Client, libmcp.AsyncClient, AnyioClient, libmcp.Server, libmcp.Context]
        for kind in kinds:
            one = kind.__new__(kind)
            for name, here in kind._elsewhere.items():
                with self.subTest(kind=kind.__name__, name=name):
                    self.assertFalse(hasattr(one, name))
                    with self.assertRaisesRegex(AttributeError, f"has no attribute '{name}'; here it is {re.escape(here)}"):
                        getattr(one, name)
                    first = re.match("[a-z_]+", here)[0]
                    self.assertTrue(hasattr(kind, first) or first in ("a", "params"), first)
            with self.assertRaisesRegex(AttributeError, "has no attribute 'nothing'$"):
                one.nothing


class Interrupted(unittest.TestCase):
    def test_ctrl_c_ends_a_connect_at_once(self):
        for program in (CONNECT, CONNECT_ASYNC):
            with self.subTest(program):
                self.interrupt(program)

    def interrupt(self, text):
        with tempfile.TemporaryDirectory() as folder:
            started = Path(folder) / "pid"
            # Far longer than the test waits for the end.
            times = {"probe_ms": 600_000, "initialize_ms": 600_000, "close_ms": 200}
            config = scripted("hang-on-initialize", f"write-pid={started}", timeouts=times)
            words = [sys.executable, "-c", text.format(config=config)]
            root = Path(libmcp.__file__).parent.parent
            # What runs the tests may ignore the signal, as a shell does for what it starts in the background.
            listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
            program = subprocess.Popen(words, cwd=root, stdout=subprocess.PIPE, text=True, preexec_fn=listen)
            try:
                until(lambda: started.exists() and started.read_text())
                program.send_signal(signal.SIGINT)
                out, _ = program.communicate(timeout=PATIENCE)
            finally:
                program.kill()
                program.wait()
                program.stdout.close()
        self.assertEqual(out.split(), ["interrupted", "closed"])
        self.assertEqual(program.returncode, 0)


class Unwritable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def cycle():
    one = []
    one.append(one)
    return one


class Told(unittest.IsolatedAsyncioTestCase):
    def complaints(self):
        said = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: said.append(context))
        return said

    async def test_a_failing_handler_is_told_to_the_loop(self):
        said = self.complaints()

        async def later(_):
            raise RuntimeError("the model is gone")

        def soon(_):
            raise RuntimeError("the model is gone")

        for handler in (later, soon):
            said.clear()
            config = scripted(capabilities={"sampling": {}})
            async with libmcp.AsyncClient(config, on_request={SAMPLING: handler}) as client:
                answer = await client.call_tool("ask_forever", ASK)
            self.assertNotIn("the model is gone", answer.text)
            self.assertIn("internal error", answer.text)
            self.assertEqual([str(context["exception"]) for context in said], ["the model is gone"])
            self.assertIn(SAMPLING, said[0]["message"])

    async def test_a_refusal_on_purpose_is_not_told(self):
        said = self.complaints()

        def refuse(_):
            raise libmcp.Refusal("no", data={"by": "hand"})

        config = scripted(capabilities={"sampling": {}})
        async with libmcp.AsyncClient(config, on_request={SAMPLING: refuse}) as client:
            self.assertIn('"by"', (await client.call_tool("ask_forever", ASK)).text)
        self.assertEqual(said, [])

    async def test_what_cannot_be_sent_is_left_out_and_told(self):
        for failure, code, text in (
            (libmcp.Refusal("busy", -32050, data=object()), "-32050", "busy"),
            (libmcp.Refusal("busy", -32050, data=cycle()), "-32050", "busy"),
            (libmcp.Refusal("busy", -32050, data=float("nan")), "-32050", "busy"),
            (libmcp.Refusal("bu\0sy", -32050), "-32050", "busy"),
            (libmcp.Refusal("busy\ud800", -32050), "-32050", "busy?"),
            (libmcp.Refusal("busy", 2**40), "-32603", "busy"),
            (RuntimeError("a\0b"), "-32603", "internal error"),
            (Unwritable(), "-32603", "internal error"),
        ):
            with self.subTest(repr(failure.args)):
                said = self.complaints()

                def fail(_, failure=failure):
                    raise failure

                config = scripted(capabilities={"sampling": {}})
                async with libmcp.AsyncClient(config, on_request={SAMPLING: fail}) as client:
                    answer = await client.call_tool("ask_forever", ASK)
                self.assertIn(code, answer.text)
                self.assertIn(text, answer.text)
                self.assertTrue(said)

    async def test_a_result_that_cannot_be_sent_is_told(self):
        for result in (object(), cycle(), [1]):
            said = self.complaints()
            config = scripted(capabilities={"sampling": {}})
            async with libmcp.AsyncClient(config, on_request={SAMPLING: lambda _, result=result: result}) as client:
                self.assertIn("-32603", (await client.call_tool("ask_forever", ASK)).text)
            self.assertIsInstance(said[0]["exception"], libmcp.InvalidArgument)


class ToldToThreads(unittest.TestCase):
    def test_a_failing_handler_is_told_as_that_of_a_thread(self):
        said = []
        before, threading.excepthook = threading.excepthook, lambda told: said.append(told.exc_value)
        try:
            def fail(_):
                raise RuntimeError("the model is gone")

            config = scripted(capabilities={"sampling": {}})
            with libmcp.Client(config, on_request={SAMPLING: fail}) as client:
                self.assertIn("internal error", client.call_tool("ask_forever", ASK).text)
                until(lambda: said)
        finally:
            threading.excepthook = before
        self.assertEqual([str(error) for error in said], ["the model is gone"])


class AtOnce(unittest.TestCase):
    def test_a_capability_without_a_handler_is_told(self):
        for capability, method in (("sampling", SAMPLING), ("elicitation", "elicitation/create"), ("roots", "roots/list")):
            for handlers in (None, {}, {"other/method": print}):
                with self.assertRaisesRegex(libmcp.InvalidArgument, f"'{capability}'.*{method}.*on_request"):
                    libmcp.Client(example(capabilities={capability: {}}), on_request=handlers)
            for handlers in ({method: print}, {libmcp.ANY: print}):
                libmcp.Client(example(capabilities={capability: {}}), on_request=handlers).close()
        libmcp.Client(example(capabilities={"roots": {}}, roots=["file:///tmp"])).close()

    def test_a_handler_without_its_capability_is_told(self):
        for capability, method in (("sampling", SAMPLING), ("elicitation", "elicitation/create"), ("roots", "roots/list")):
            with self.assertRaisesRegex(libmcp.InvalidArgument, f"{method}.*'{capability}'.*capabilities"):
                libmcp.Client(example(roots=None), on_request={method: print})
        with self.assertRaisesRegex(libmcp.InvalidArgument, "sampling"):
            libmcp.Client('{"command": "x", "capabilities": {"elicitation": {}}}', on_request={SAMPLING: print, libmcp.ANY: print})
        # An extension's method has no capability that the binding knows.
        libmcp.Client(example(), on_request={"com.example/ask": print}).close()

    def test_asyncio_is_told_too(self):
        async def make():
            libmcp.AsyncClient(example(), on_request={SAMPLING: print})

        with self.assertRaises(libmcp.InvalidArgument):
            asyncio.run(make())


class Names(unittest.TestCase):
    def test_numbers_of_the_library_are_written_as_their_names(self):
        with libmcp.Client(scripted()) as client:
            with self.assertRaises(libmcp.CallTimeout) as failed:
                client.call_tool("hang", timeout=0.01)
        status = failed.exception.status
        self.assertEqual((str(status), f"{status}", f"{status:>8}", "%s" % status), ("timeout", "timeout", " timeout", "timeout"))
        self.assertEqual((int(status), f"{status:d}", status == -2), (-2, "-2", True))
        self.assertEqual(repr(status), "<Status.TIMEOUT: -2>")
        self.assertEqual(f"{libmcp.State.READY} {libmcp.Kind.REPLY} {libmcp.LogLevel.WARN}", "ready reply warn")
