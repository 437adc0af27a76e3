"""Views of the official package (MCP Apps), in the versions of both its lines, with the host's side of the library."""

import ctypes
import json
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
