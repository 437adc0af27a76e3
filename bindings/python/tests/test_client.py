import contextlib
import copy
import datetime
import decimal
import gc
import importlib.metadata
import json
import logging
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import libmcp
from libmcp import _native
from libmcp._handlers import _sampling
from libmcp.errors import error_for

from .support import PATIENCE, alive, children, example, scripted, until


class Calls(unittest.TestCase):
    def test_a_tool_is_listed_and_called_in_both_eras(self):
        for era in ("legacy", "modern"):
            with self.subTest(era), libmcp.Client(example("--era", era)) as client:
                self.assertEqual([tool["name"] for tool in client.tools()][:2], ["echo", "add"])
                self.assertEqual(client.call_tool("echo", {"text": "grüße\n☃"}).text, "grüße\n☃")
                self.assertEqual(client.call_tool("add", {"a": 2, "b": 3}).data, {"sum": 5})
                self.assertEqual(client.info()["era"], era)
                self.assertEqual(client.state, libmcp.State.READY)

    def test_every_feature_has_a_method(self):
        for era in ("legacy", "modern"):
            with self.subTest(era):
                self.use_every_feature(example("--era", era))

    def use_every_feature(self, config):
        with libmcp.Client(config) as client:
            self.assertEqual(len(list(client.resources())), 2)
            self.assertEqual(client.read_resource("demo://greeting")[0]["text"], "Hello, world!")
            self.assertEqual(next(client.resource_templates())["uriTemplate"], "demo://greeting/{name}")
            self.assertEqual(next(client.prompts())["name"], "greet")
            self.assertIn("Ada", client.get_prompt("greet", {"name": "Ada"})["messages"][0]["content"]["text"])
            found = client.complete({"type": "ref/prompt", "name": "greet"}, "name", "a")
            self.assertEqual(found["values"], ["Ada", "Alan"])
            settled = {"other": "x"}
            self.assertEqual(client.complete({"type": "ref/prompt", "name": "greet"}, "name", "a", settled), found)
            client.set_log_level("error")
            client.ping()
            client.clear_cache()

    def test_members_of_what_comes_are_attributes(self):
        with libmcp.Client(example()) as client:
            tool = next(iter(client.tools()))
            self.assertEqual((tool.name, tool.input_schema.type, tool.inputSchema), ("echo", "object", tool["inputSchema"]))
            self.assertIsNone(tool.output_schema)  # The protocol knows it, and the server has not sent it.
            result = client.call_tool("add", {"a": 2, "b": 3})
            self.assertEqual((result.structured_content.sum, result.content[0].type), (5, "text"))
            self.assertEqual(json.loads(json.dumps(tool)), tool)
            self.assertEqual((copy.deepcopy(tool), pickle.loads(pickle.dumps(tool))), (tool, tool))
            with self.assertRaisesRegex(AttributeError, "no member 'nmae'; there are: name, "):
                tool.nmae
        with self.assertRaises(AttributeError):
            libmcp.ToolResult().nmae

    def test_the_version_is_that_of_the_package(self):
        self.assertEqual(libmcp.__version__, importlib.metadata.version("libmcp"))

    def test_a_template_is_expanded(self):
        self.assertEqual(libmcp.expand_template("demo://{name}{?x}", {"name": "Ada L."}), "demo://Ada%20L.")
        self.assertRaises(libmcp.InvalidArgument, libmcp.expand_template, "{")

    def test_a_feature_the_server_lacks_is_unsupported(self):
        with libmcp.Client(scripted()) as client, self.assertRaises(libmcp.Error) as caught:
            list(client.prompts())
        self.assertEqual(caught.exception.status, libmcp.Status.UNSUPPORTED)

    def test_a_list_comes_whole_over_all_its_pages(self):
        with libmcp.Client(example("--page-size", "3")) as client:
            self.assertEqual(len(list(client.tools())), 10)
            self.assertEqual(client.info()["counters"]["calls"], 1)
        with libmcp.Client(example("--page-size", "3", limits={"list_pages": 2})) as client:
            with self.assertRaises(libmcp.Error) as caught:
                list(client.tools())
            self.assertEqual(caught.exception.status, libmcp.Status.TOO_LARGE)

    def test_a_list_that_never_ends_is_an_error(self):
        for behaviour, status in (("cursor-loop", libmcp.Status.PROTOCOL), ("endless-pages", libmcp.Status.TOO_LARGE)):
            with self.subTest(behaviour), libmcp.Client(scripted(behaviour)) as client:
                with self.assertRaises(libmcp.Error) as caught:
                    list(client.tools())
                self.assertEqual(caught.exception.status, status)

    def test_a_servers_error_keeps_its_code_and_a_failed_tool_is_none(self):
        with libmcp.Client(example()) as client:
            with self.assertRaises(libmcp.ServerError) as caught:
                client.call_tool("no-such-tool")
            self.assertEqual((caught.exception.code, caught.exception.operation), (-32602, "tools/call"))
            result = client.call_tool("fail")
            self.assertTrue(result.is_error)
            with self.assertRaisesRegex(libmcp.ToolError, "always fails"):
                result.check()

    def test_a_call_ends_at_its_timeout(self):
        with libmcp.Client(scripted()) as client:
            client.connect()
            start = time.monotonic()
            with self.assertRaisesRegex(TimeoutError, "raise timeout for this call") as caught:
                client.call_tool("hang", timeout=0.05)
            self.assertLess(time.monotonic() - start, PATIENCE)
            self.assertEqual(caught.exception.status, libmcp.Status.TIMEOUT)
            self.assertEqual(client.call_tool("echo", {"text": "on"}).text, "on")

    def test_an_interrupted_caller_cancels_its_call(self):
        with libmcp.Client(example()) as client:
            def stop(_):
                raise KeyboardInterrupt

            with self.assertRaises(KeyboardInterrupt):
                client.call_tool("slow", {"ms": 60000, "steps": 10000}, on_progress=stop)
            until(lambda: client.info()["counters"]["cancelled"] == 1)

    def test_progress_comes_before_the_result(self):
        reports = []
        with libmcp.Client(example()) as client:
            client.call_tool("slow", {"ms": 60, "steps": 6}, on_progress=reports.append)
        self.assertEqual([report["progress"] for report in reports], [1, 2, 3, 4, 5, 6])

    def test_options_reach_the_server(self):
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        with libmcp.Client(scripted()) as client:
            client.call_tool("echo", {"text": "x"}, traceparent=trace, meta={"com.example/n": 7}, retry="safe")
            lines = client.call_tool("received", {"lines": True}).text
            self.assertIn(trace, lines)
            self.assertIn("com.example/n", lines)
            with self.assertRaisesRegex(libmcp.InvalidArgument, "retry"):
                client.call_tool("echo", retri="safe")

    def test_what_is_no_function_and_an_unknown_option_are_refused_at_once(self):
        async def handler(*_):
            pass

        for name in ("on_sampling", "on_elicitation", "on_roots", "on_notification", "on_state", "on_lost", "on_error"):
            with self.subTest(name=name), self.assertRaisesRegex(TypeError, f"{name} must be a function; it is a coroutine"):
                libmcp.Client(example(), **{name: handler()})
        with self.assertRaisesRegex(TypeError, "roots/list.* must be a function; it is 5"):
            libmcp.Client(example(), on_request={"roots/list": 5})
        with libmcp.Client(example()) as client:
            for given, says in (({"timout": 5}, "did you mean 'timeout'"), ({"text": "x"}, "stand in a dict")):
                with self.subTest(given=given), self.assertRaisesRegex(ValueError, says):
                    client.call_tool("echo", **given)
            with self.assertRaisesRegex(TypeError, "on_progress must be a function; it is 5"):
                client.call_tool("echo", {"text": "x"}, on_progress=5)
        with self.assertRaisesRegex(RuntimeError, "make it in a coroutine"):
            libmcp.AsyncClient(example())

    def test_arguments_may_be_values_of_the_types_that_tools_take(self):
        when, place = datetime.datetime(2026, 7, 28, tzinfo=datetime.timezone.utc), PurePosixPath("/tmp/a")
        with libmcp.Client(example()) as client:
            for value, text in ((when, "2026-07-28T00:00:00+00:00"), (place, "/tmp/a"), (decimal.Decimal("1.50"), "1.50")):
                self.assertEqual(client.call_tool("echo", {"text": value}).text, text)

    def test_coroutine_functions_are_awaited(self):
        seen = queue.SimpleQueue()

        async def roots():
            return ["file:///x"]

        async def told(method, params):
            seen.put(method)

        with libmcp.Server("asking") as server:
            @server.tool
            def ask(request: libmcp.Context) -> str:
                return request.roots()[0]["uri"]

            with libmcp.Client(server=server, on_roots=roots, on_notification=told) as client:
                self.assertEqual(client.call_tool("ask").text, "file:///x")
                server.tool(name="other")(ask)
                self.assertEqual(seen.get(timeout=PATIENCE), "notifications/tools/list_changed")

    def test_errors_reach_other_processes(self):
        with libmcp.Client(example()) as client:
            with self.assertRaises(libmcp.ServerError) as caught:
                client.call_tool("no-such-tool")
        for error in (caught.exception, libmcp.Refusal("no", -5, {"a": 1}), libmcp.ToolError("why")):
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again)), (type(error), str(error)))
            for part in ("status", "code", "data", "details", "retryable"):
                self.assertEqual(getattr(again, part, None), getattr(error, part, None))

    def test_wrong_arguments_are_refused_with_a_reason(self):
        with libmcp.Client(example()) as client:
            for method, params, says in (
                ("tools/call\0", None, "NUL"),
                ("tools/call", '{"a":\0}', "NUL"),
                ("tools/call", {"a": "\ud800"}, "UTF-8"),
                ("tools/call", [1], "object"),
                ("tools/call", {"a": object()}, "JSON"),
                ("tools/call", {"a": float("nan")}, "JSON"),
                ("tools/call", '{"a":', "params"),
            ):
                with self.subTest(says=says, params=params), self.assertRaisesRegex(ValueError, says):
                    client.call(method, params)
        for config, says in (({"comand": "x"}, "command"), (None, "configuration"), ("{", "JSON"),
                             ("http://127.0.0.1/mcp", "must be a dict"), (["python3", "server.py"], "must be a dict")):
            with self.subTest(config=config), self.assertRaisesRegex(libmcp.InvalidArgument, says):
                libmcp.Client(config)


class Life(unittest.TestCase):
    def test_close_ends_the_server_and_leaves_nothing(self):
        before = threading.active_count()
        client = libmcp.Client(example())
        pid = int(client.call_tool("pid").text)
        closers = [threading.Thread(target=client.close) for _ in range(8)]
        for closer in closers:
            closer.start()
        for closer in closers:
            closer.join(PATIENCE)
        self.assertFalse(alive(pid))
        until(lambda: threading.active_count() <= before)
        self.assertEqual(client.state, libmcp.State.CLOSED)
        for use in (client.info, client.connect, lambda: client.call_tool("echo"), lambda: client.notify("x")):
            self.assertRaises(libmcp.Closed, use)

    def test_close_ends_calls_under_way(self):
        with libmcp.Client(scripted()) as client:
            client.connect()
            ended = queue.Queue()

            def hang():
                try:
                    client.call_tool("hang")
                except libmcp.Error as error:
                    ended.put(error)

            for _ in range(20):
                threading.Thread(target=hang, daemon=True).start()
            until(lambda: client.info()["pending_calls"] == 20)
            client.close()
            for _ in range(20):
                self.assertIsInstance(ended.get(timeout=PATIENCE), libmcp.Closed)

    def test_a_crash_ends_its_call_and_the_server_comes_back(self):
        states = queue.Queue()
        config = example(reconnect={"initial_ms": 10})
        with libmcp.Client(config, on_state=lambda change: states.put(change["state"])) as client:
            with self.assertRaises(ConnectionError) as caught:
                client.call_tool("crash", {"code": 3})
            self.assertEqual(caught.exception.status, libmcp.Status.TRANSPORT)
            self.assertIn("3", str(caught.exception))
            self.assertEqual(client.call_tool("echo", {"text": "back"}, when_unavailable="wait").text, "back")
        seen = []
        while not seen or seen[-1] != "closed":
            seen.append(states.get(timeout=PATIENCE))
        self.assertIn("ready backoff starting", " ".join(seen))

    def test_a_command_that_does_not_exist_is_told(self):
        with libmcp.Client({"command": "/no/such/server"}) as client:
            with self.assertRaisesRegex(ConnectionError, "/no/such/server"):
                client.connect()

    def test_connecting_is_bounded(self):
        with libmcp.Client(scripted("hang-on-initialize")) as client:
            self.assertRaises(TimeoutError, client.connect, timeout=0.05)

    def test_a_forgotten_client_is_closed_by_the_collector(self):
        client = libmcp.Client(example())
        pid = int(client.call_tool("pid").text)
        del client
        gc.collect()
        until(lambda: not alive(pid))

    def test_a_program_that_forgets_to_close_ends_and_leaves_no_server(self):
        program = (
            "import libmcp, os, threading\n"
            "client = libmcp.Client({'command': os.environ['MCP_EXAMPLE_SERVER']})\n"
            "print(client.call_tool('pid').text, flush=True)\n"
            "threading.Thread(target=lambda: client.call_tool('slow', {'ms': 60000}), daemon=True).start()\n"
        )
        example()
        root = Path(__file__).parent.parent
        done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        until(lambda: not alive(int(done.stdout)))

    def test_an_mcp_servers_file_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mcp.json"
            file.write_text('{"mcpServers": {"one": {"command": "${MCP_EXAMPLE_SERVER}", "disabled": false}}}')
            with libmcp.Client(libmcp.load_config(file)) as client:
                client.connect()
            self.assertRaisesRegex(libmcp.InvalidArgument, "two", libmcp.load_config, file, "two")


class Handlers(unittest.TestCase):
    def test_a_request_of_the_server_is_answered_in_both_eras(self):
        for era in ("legacy", "modern"):
            with self.subTest(era):
                asked = []

                def answer(request):
                    asked.append(request.params["message"])
                    return {"action": "accept", "content": {"answer": "blue"}}

                config = example("--era", era, capabilities={"elicitation": {}})
                with libmcp.Client(config, on_request={"elicitation/create": answer}) as client:
                    self.assertEqual(client.call_tool("ask", {"question": "Colour?"}).text, "blue")
                self.assertEqual(asked, ["Colour?"])

    def test_a_form_is_completed_and_checked(self):
        def accept(request):
            self.assertRaises(libmcp.InvalidArgument, request.accept, {"answer": 7})
            request.accept({"answer": "blue"})

        for answer, says in (
            (accept, "blue"),
            (lambda request: request.decline(), "No answer: decline"),
            (lambda request: request.dismiss(), "No answer: cancel"),
        ):
            for era in ("legacy", "modern"):
                config = example("--era", era, capabilities={"elicitation": {}})
                with self.subTest(says, era=era), libmcp.Client(config, on_request={libmcp.ANY: answer}) as client:
                    self.assertEqual(client.call_tool("ask", {"question": "Colour?"}).text, says)

    def test_one_block_of_a_model_is_sent_as_one_unless_there_are_tools(self):
        block = {"type": "text", "text": "four"}
        for content, params, sent in (
            ([block], {}, block), (block, {}, block), ([block], {"tools": []}, [block]), ([block, block], {}, [block, block]),
        ):
            answer = _sampling(lambda _, content=content: {"role": "assistant", "model": "m", "content": content})
            self.assertEqual(answer(SimpleNamespace(params=params))["content"], sent)

    def test_a_request_that_is_not_answered_is_refused(self):
        def refuse(_):
            raise libmcp.Refusal("no", data=7)

        def fail(_):
            raise RuntimeError("the model is gone")

        for handlers, says in (
            ({"sampling/createMessage": refuse}, '"code":-1'),
            ({libmcp.ANY: fail}, "internal error: the handler failed"),
        ):
            config = scripted(capabilities={"sampling": {}})
            with self.subTest(says), libmcp.Client(config, on_request=handlers) as client:
                arguments = {"method": "sampling/createMessage", "wait_ms": 20000}
                self.assertIn(says, client.call_tool("ask_forever", arguments).text)

    def test_a_program_may_call_in_a_handler(self):
        config = example("--era", "legacy", capabilities={"elicitation": {}})

        def answer(_):
            return {"action": "accept", "content": {"answer": client.call_tool("echo", {"text": "inner"}).text}}

        with libmcp.Client(config, on_request={"elicitation/create": answer}) as client:
            self.assertEqual(client.call_tool("ask", {"question": "?"}).text, "inner")

    def test_notifications_come_in_order_and_a_raising_handler_ends_nothing(self):
        heard = queue.Queue()
        hook, threading.excepthook = threading.excepthook, lambda _: None
        self.addCleanup(setattr, threading, "excepthook", hook)

        def hear(method, params):
            heard.put(method)
            if heard.qsize() == 1:
                raise RuntimeError("once")

        with libmcp.Client(example("--era", "legacy"), on_notification=hear) as client:
            client.call_tool("notify", {"count": 50, "changes": True})
            methods = [heard.get(timeout=PATIENCE) for _ in range(51)]
        self.assertEqual(set(methods[:50]), {"notifications/message"})
        self.assertIn("list_changed", methods[50])

    def test_roots_may_change(self):
        def asked():
            return client.call_tool("ask_forever", {"method": "roots/list", "wait_ms": 20000}).text

        with libmcp.Client(scripted(roots=["file:///one"])) as client:
            self.assertIn("file:///one", asked())
            client.set_roots([{"uri": "file:///two", "name": "second"}])
            self.assertIn("file:///two", asked())
            self.assertRaises(libmcp.InvalidArgument, client.set_roots, ["http://example.com"])

    def test_a_slow_handler_delays_no_call_and_hears_what_was_lost(self):
        go_on, began, lost = threading.Event(), threading.Event(), queue.Queue()

        def hear(method, params):
            began.set()
            go_on.wait(PATIENCE)

        with libmcp.Client(example("--era", "legacy"), on_notification=hear, on_lost=lost.put) as client:
            client.call_tool("notify", {"count": 3000, "changes": False})
            self.assertTrue(began.wait(PATIENCE))
            self.assertEqual(client.call_tool("echo", {"text": "prompt"}).text, "prompt")
            go_on.set()
            self.assertGreater(lost.get(timeout=PATIENCE), 1000)

    def test_lines_of_standard_error_come_as_they_are(self):
        for more in ({}, {"stderr": None}):
            lines = queue.Queue()
            with self.subTest(more), libmcp.Client(scripted("stderr-at-start=3", **more), on_log_line=lines.put) as client:
                client.connect()
                self.assertTrue(all(lines.get(timeout=PATIENCE) for _ in range(3)))

    def test_log_records_go_to_logging(self):
        records = queue.Queue()

        class Keep(logging.Handler):
            def emit(self, record):
                records.put(record.mcp)

        logger = logging.Logger("test", logging.DEBUG)
        logger.addHandler(Keep())
        libmcp.set_logger(logger, logging.DEBUG)
        self.addCleanup(libmcp.set_logger, None)
        with libmcp.Client(example(name="logged")) as client:
            client.call_tool("echo", {"text": "x"})
            seen = {}
            while seen.get("event") != "request.stop":
                seen = records.get(timeout=PATIENCE)
            self.assertEqual(seen["client"], "logged")


class Loading(unittest.TestCase):
    def test_a_library_of_another_abi_is_refused(self):
        _native.check_abi(1, 1)
        self.assertRaisesRegex(ImportError, "ABI version 2", _native.check_abi, 1, 2)

    def test_statuses_have_the_librarys_names(self):
        for status in libmcp.Status:
            self.assertEqual(_native.name_of(status), status.name.lower())

    def test_an_unknown_status_is_an_error_all_the_same(self):
        error = error_for(-99, {"operation": "x"})
        self.assertEqual((type(error), error.status, str(error)), (libmcp.Error, -99, "x: status -99"))


class Files(unittest.TestCase):
    def test_a_client_for_each_server_of_a_file(self):
        ours = example()
        servers = {
            "good": {"command": ours["command"], "args": ours["args"]},
            "other": {"command": ours["command"], "args": ["--era", "legacy"]},
            "off": {"command": ours["command"], "disabled": True},
            "wrong": {"command": ours["command"], "url": "http://127.0.0.1:1/"},
        }
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mcp.json")
            file.write_text(json.dumps({"mcpServers": servers}))
            clients, failures = libmcp.open_config(file, on_elicitation=lambda form: {"answer": "blue"})
            with contextlib.ExitStack() as stack:
                for client in clients.values():
                    stack.enter_context(client)
                self.assertEqual((set(clients), set(failures)), ({"good", "other"}, {"wrong"}))
                self.assertIsInstance(failures["wrong"], libmcp.InvalidArgument)
                for client in clients.values():
                    self.assertEqual(client.call_tool("ask", {"question": "Colour?"}).text, "blue")
            clients, failures = libmcp.open_config(file, defaults={"comand": "x"})
            self.assertEqual((clients, set(failures)), ({}, {"good", "other", "wrong"}))
            self.assertRaises(libmcp.Error, libmcp.open_config, Path(folder, "none.json"))


def tearDownModule():
    gc.collect()
    until(lambda: not children())
