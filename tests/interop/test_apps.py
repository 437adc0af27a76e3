"""The official package (MCP Apps): its views with the host's side of the library, it as the host of a page of ours, an app of its examples.

Views and host are those of both its lines.
"""

import ctypes
import json
import shutil
import subprocess

import pytest
import support

TOOL = {"name": "chart", "_meta": {"ui": {"resourceUri": "ui://c"}}}
SETTINGS = {
    "hostInfo": {"name": "host", "version": "1"},
    "hostCapabilities": {
        "serverTools": {}, "serverResources": {}, "logging": {}, "openLinks": {}, "downloadFile": {}, "message": {"text": {}},
        "updateModelContext": {"text": {}},
    },
    "hostContext": {
        "theme": "dark", "availableDisplayModes": ["inline", "fullscreen", "pip"],
        "styles": {"variables": {"--color-text-primary": "#000"}},
    },
    "tool": TOOL, "appTools": "view",
    "tools": [TOOL, {"name": "draw"}, {"name": "secret", "_meta": {"ui": {"visibility": ["model"]}}}],
}
DRAWN = {"content": [{"type": "text", "text": "drawn"}]}
READ = {"contents": [{"uri": "ui://x", "text": "page"}]}
ANSWERS = {
    "tools/call": {"result": DRAWN}, "resources/read": {"result": READ}, "ui/open-link": {"denied": True},
    "ui/request-display-mode": {"result": {"mode": "fullscreen"}},
}


class View:
    """One view of the library."""

    def __init__(self, settings):
        self.library = ctypes.CDLL(str(support.library()))
        self.handle, error = ctypes.c_void_p(), ctypes.c_char_p()
        assert self.library.mcp_app_new(json.dumps(settings).encode(), ctypes.byref(self.handle), ctypes.byref(error)) == 0, error.value

    def tell(self, **told):
        error = ctypes.c_char_p()
        assert self.library.mcp_app_tell(self.handle, json.dumps(told).encode(), ctypes.byref(error)) == 0, error.value

    def receive(self, message):
        assert self.library.mcp_app_receive(self.handle, message.encode(), None) == 0

    def actions(self):
        text = ctypes.c_void_p()
        while self.library.mcp_app_poll(self.handle, ctypes.byref(text)) == 0:
            action = json.loads(ctypes.string_at(text.value))
            self.library.mcp_string_free(text)
            yield action

    def free(self):
        assert self.library.mcp_app_free(self.handle) == 0
        assert self.library.mcp_app_free(self.handle) < 0, "freed twice"


@pytest.mark.parametrize("package", ["ext-apps", "ext-apps-1"])
def test_a_view_of_the_official_package(package, tmp_path):
    module = support.Path(support.peer("npm")) / f"node_modules/{package}/dist/src/app-with-deps.js"
    view, asked, others = View(SETTINGS), {}, []
    view.tell(type="input", arguments={"city": "Paris"})
    told = tmp_path / "told"
    words = [support.peer("node"), support.ROOT / "tests/interop/view.mjs", module]
    with told.open("w") as log, subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True) as page:
        for line in page.stdout:
            view.receive(line)
            for action in view.actions():
                if action["type"] == "message":
                    print(json.dumps(action["message"]), file=page.stdin, flush=True)
                elif action["type"] == "request":
                    asked[action["method"]] = action["params"]
                    view.tell(type="answer", id=action["id"], **ANSWERS.get(action["method"], {"result": {}}))
                else:
                    others.append(action)
                if action["type"] == "app-tools" and action["tools"]:
                    view.tell(type="call", call=7, name="view__move", arguments={"to": 1})
                if action["type"] == "size":
                    view.tell(type="result", result={"content": [*DRAWN["content"], {"type": "of-tomorrow"}], "structuredContent": {"v": 1}})
                    view.tell(type="context", context={"theme": "light"})
                    view.tell(type="teardown", reason="over")
    view.free()
    seen = [json.loads(line) for line in told.read_text().splitlines()]
    assert page.returncode == 0, seen
    changes = [value for name, value in seen if name == "changed"]
    assert {name: value for name, value in seen if name != "changed"} == {
        "theme": "dark", "input": {"arguments": {"city": "Paris"}}, "call": DRAWN, "secret": {"code": -32000}, "read": READ,
        "link": {"isError": True}, "script": {"isError": True}, "message": {}, "context": {}, "mode": {"mode": "fullscreen"},
        "pip": {"mode": "fullscreen"}, "file": {}, "result": DRAWN | {"structuredContent": {"v": 1}}, "teardown": {},
    }
    assert changes == [{"displayMode": "fullscreen"}, {"theme": "light"}]
    assert asked["tools/call"] == {"name": "draw", "arguments": {"x": 1}}
    assert asked["ui/download-file"]["names"] == ["b.csv"] and asked["ui/open-link"] == {"url": "https://a.example/"}
    # The tools of the view are there while it is.
    tools = [action for action in others if action["type"] in ("app-tools", "called")]
    assert tools == [
        {"type": "app-tools", "tools": [{"name": "view__move", "inputSchema": {"type": "object"}}]},
        {"type": "called", "call": 7, "result": {"content": [{"type": "text", "text": 'move {"to":1}'}]}},
        {"type": "app-tools", "tools": []},
    ], tools
    kinds = [action["type"] for action in others if action not in tools]
    assert kinds == ["ready", "log", "size", "warning", "ended"], others


@pytest.mark.parametrize("package", ["ext-apps", "ext-apps-1"])
def test_a_page_of_ours_in_the_official_host(package):
    server = support.compiled("examples/c/chart_server.c", "apps")
    packages, text = support.Path(support.peer("npm")), (support.ROOT / "tests/interop/host.mjs").read_text()
    # Node looks for packages from where a module is.
    (packages / f"host-of-{package}.mjs").write_text(text)
    seen = support.run([support.peer("node"), packages / f"host-of-{package}.mjs", package, server]).well().stdout
    # It is drawn by the result, and again by that of the call that it makes itself: the second size.
    drawn = [{"width": 300, "height": 120}, 7]
    assert json.loads(seen) == {
        "tool": "chart", "others": [["more", ["app"]]], "mimeType": "text/html;profile=mcp-app",
        "text": "7, 9, 12, 11, 8, 6 and 10 degrees, shown as a chart", "app": {"name": "chart", "version": "1.0"},
        "sizes": [drawn, drawn], "teardown": {},
    }


@pytest.mark.parametrize("is_for_models", [False, True])
def test_an_official_app_in_a_window_of_webkitgtk(is_for_models, tmp_path):
    """It calls its own tool as it starts, and tells how that ended. What is for models alone does not arrive."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "webkit2gtk-4.1"], capture_output=True, text=True, check=False)
    if flags.returncode or not shutil.which("xvfb-run"):
        support.lack("libwebkit2gtk-4.1-dev and xvfb are missing")
    options = [flag.replace("-I", "-isystem", 1) if flag.startswith("-I") else flag for flag in flags.stdout.split()]
    program = support.compiled("examples/c/app_window.c", "apps", *options)
    calls = tmp_path / "calls"
    server = [support.peer("node"), support.ROOT / "tests/page/official.mjs", calls, support.official_app(), *["model"] * is_for_models]
    # The end of `timeout` is that of its group: of the display, too.
    words = ["timeout", "-k", "5", "100", "xvfb-run", "-a", program, "get-cohort-data", "{}", *server]
    said = []
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True) as window:
        for line in window.stdout:
            said.append(line.strip())
            if '"type":"log"' in line:
                break
        window.terminate()
    arrived = [json.loads(line) for line in calls.read_text().splitlines()]
    assert '{"type":"ready"}' in said and any(line.startswith("the page has ") for line in said), said
    assert ('"error -32000"' if is_for_models else '"content"') in said[-1], said
    own = {"call": "get-cohort-data", "arguments": {"metric": "retention", "periodType": "monthly", "cohortCount": 12, "maxPeriods": 12}}
    assert arrived[0] == {"call": "get-cohort-data", "arguments": {}}
    assert arrived[1:] == ([] if is_for_models else [own])
    assert ("the page asks for tools/call" in said) is not is_for_models
