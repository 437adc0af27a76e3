import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import libmcp

from .support import PATIENCE, Web, browse, example, redirected, scripted

ROOT = Path(__file__).parent.parent


def everything():
    text = os.environ.get("MCP_EVERYTHING_SERVER")
    if not text:
        raise unittest.SkipTest("MCP_EVERYTHING_SERVER names no server; run `cargo xtask test --only python`")
    return json.loads(text)


class Examples(unittest.TestCase):
    def run_example(self, name, options, server, *says):
        words = [sys.executable, str(ROOT / "examples" / name), *options, *server]
        environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT))}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for part in says:
            self.assertIn(part, done.stdout)

    def setUp(self):
        self.ours = [example()["command"]]
        self.legacy = [*self.ours, "--era", "legacy"]

    def test_the_readmes_programs_work_as_printed(self):
        served, *blocks = (block.split("```")[0] for block in (ROOT / "README.md").read_text().split("```python\n")[1:])
        command, *arguments = everything()
        printed = '"command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"]'
        blocks = [block for block in blocks if printed in block]  # The others are parts of programs.
        self.assertEqual(len(blocks), 2)
        started = f'"command": {json.dumps(command)}, "args": {json.dumps(arguments)}'
        with tempfile.TemporaryDirectory() as folder:
            for program in blocks:
                place = Path(folder, "printed.py")
                place.write_text(program.replace(printed, started))
                self.run_example(place, [], [], "Echo: Hello")
            place.write_text(served)
            config = {"command": sys.executable, "args": [str(place)], "inherit_env": "all"}
            with libmcp.Client(config, on_elicitation=lambda form: {"size": "large"}) as client:
                self.assertEqual(client.call_tool("order", {"tea": "black"}).text, "a large black tea")
                self.assertIn("2.5", client.read_resource("tea://green/price")[0]["text"])
                self.assertEqual(client.get_prompt("recommend", {"mood": "tired"})["messages"][0]["role"], "user")

    def test_everything(self):
        says = (
            "structured: {", "progress: 1", "cancel: cancelled", "notifications: notifications/", "elicitation: ", "Ada",
            "sampling: ", "roots: ", "parallel: 100 of 100", "two clients: ready ready", "crash: transport", "reconnected",
        )
        self.run_example("everything.py", [], everything(), *says, "connected: mcp-servers/everything")
        sdk = os.environ.get("MCP_PYTHON_SDK_1")
        if not sdk:
            raise unittest.SkipTest("MCP_PYTHON_SDK_1 names no interpreter; run `cargo xtask test --only python`")
        plan = {
            "echo": ["echo", {"text": "Hello"}], "structured": ["add", {"a": 2, "b": 3}], "progress": ["notify", {"steps": 3}],
            "cancel": ["slow", {"seconds": 60}], "stopped": ["stopped", {}], "log": ["notify", {"steps": 1}],
            "sampling": ["ask_model", {"prompt": "a rhyme"}], "elicitation": ["ask_name", {}], "roots": ["ask_roots", {}],
        }
        server = [sdk, str(Path(os.environ["MCP_PYTHON_SDK_SERVER"]))]
        self.run_example("everything.py", ["--plan", json.dumps(plan)], server, *says, "slow was stopped", "connected: python-test-server")

    def test_quickstart(self):
        self.run_example("quickstart.py", [], self.ours, "connected to mcp-example-server", "Hello from Python")
        self.run_example("quickstart.py", [], everything(), "mcp-servers/everything", "Echo: Hello from Python")

    def test_tools(self):
        add = ["--call", "add", "--arguments", '{"a":2,"b":3}']
        self.run_example("tools.py", add, self.ours, "Adds two numbers", "add says: 5", 'as data: {"sum": 5}')
        add[1] = "get-sum"
        self.run_example("tools.py", add, everything(), "get-tiny-image", "The sum of 2 and 3 is 5.")

    def test_resources_watch(self):
        touch = ["--uri", "demo://greeting", "--touch", "notify", "--arguments", '{"count":1}']
        for server in (self.ours, self.legacy):
            self.run_example("resources_watch.py", touch, server, "Hello, world!", "changed: demo://greeting")
        touch = ["--uri", "demo://resource/static/document/features.md", "--touch", "toggle-subscriber-updates"]
        self.run_example("resources_watch.py", touch, everything(), "(text/markdown)", "changed: demo://")

    def test_elicitation(self):
        self.run_example("elicitation.py", [], self.ours, "asks: What is your favourite colour?", "ask says: blue")
        self.run_example("elicitation.py", ["--decline"], self.legacy, "No answer: decline")
        options = ["--call", "trigger-elicitation-request", "--arguments", "{}", "--answer", "Ada"]
        self.run_example("elicitation.py", options, everything(), "Please provide inputs", "Ada")

    def test_sampling(self):
        options = ["--call", "ask_forever", "--arguments", '{"method":"sampling/createMessage"}']
        server = [scripted()["command"]]
        self.run_example("sampling.py", options, server, "at most 10 tokens: Say something", "You said: Say something")
        options = ["--call", "trigger-sampling-request", "--arguments", '{"prompt":"a rhyme","maxTokens":20}']
        self.run_example("sampling.py", options, everything(), "at most 20 tokens", "You said: ", "a rhyme")

    def test_progress(self):
        options = ["--arguments", '{"ms":50,"steps":5}']
        self.run_example("progress.py", options, self.ours, "1 of 5 step 1 of 5", "5 of 5", "waited 50 ms")
        options = ["--arguments", '{"ms":60000}', "--stop-after", "0.05"]
        self.run_example("progress.py", options, self.ours, "stopped, and the server was told")
        options = ["--call", "trigger-long-running-operation", "--arguments", '{"duration":0.2,"steps":4}']
        self.run_example("progress.py", options, everything(), "4 of 4", "Long running operation completed.")

    def test_login(self):
        back = ["--redirect", "com.example.app:/callback"]
        for person, options, answer, says in (
            ("login=yes", [], lambda url: browse(url) or "", "logged in; the server has "),
            ("login=yes", back, redirected, "logged in; the server has "),
            ("login=yes", back, lambda _: "", "the person gave up"),
            ("login=no", back, redirected, "access_denied"),
            ("token=sesame", ["--token"], None, "logged in; the server has "),
            ("login=yes", ["--token"], None, "refuses the token"),
        ):
            with self.subTest(person=person, options=options, says=says), Web(person) as server:
                self.assertIn(says, self.log_in([*options, server.url], answer))

    def test_a_login_that_the_program_stores(self):
        with Web("login=yes") as server, tempfile.TemporaryDirectory() as folder:
            words = ["--store", folder, server.url]
            self.assertIn("logged in; ", self.log_in(words, lambda url: browse(url) or ""))
            again = self.log_in(["--logout", *words], None)  # No page to open.
            self.assertIn("logged in; ", again)
            self.assertIn("logged out", again)
            files = {file.name: file for file in Path(folder).iterdir()}
            self.assertEqual(len(files), 2, files)
            for file in files.values():
                self.assertEqual(file.stat().st_mode & 0o777, 0o600)
                self.assertNotIn("token-", file.read_text())

    def log_in(self, words, answer):
        environment = {
            **os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)), "PYTHONUNBUFFERED": "1", "MCP_TOKEN": "sesame"
        }
        program = [sys.executable, str(ROOT / "examples" / "login.py"), *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(program, env=environment, text=True, **pipes) as process:
            stop = threading.Timer(2 * PATIENCE, process.kill)
            stop.start()
            said = []
            for line in process.stdout:
                said.append(line)
                if answer is not None and line.startswith("http://"):
                    process.stdin.write(answer(line.strip()) + "\n")
                    process.stdin.flush()
            stop.cancel()
        return "".join(said)

    def test_multi_server(self):
        reference = everything()
        servers = {
            "ours": {"command": self.ours[0]},
            "everything": {"command": reference[0], "args": reference[1:]},
            "scripted": {"command": scripted()["command"]},
            "missing": {"command": "/no/such/server"},
        }
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mcp.json"
            file.write_text(json.dumps({"mcpServers": servers}))
            says = ("ours: echo, add", "everything: echo, ", "scripted: echo", "missing: not usable: ")
            self.run_example("multi_server.py", [str(file)], [], *says)
