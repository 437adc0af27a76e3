"""The host's side of a page of a tool (MCP Apps)."""

import gc
import json
import unittest

from libmcp import InvalidArgument, View, view_policy

TOOL = {"name": "chart", "inputSchema": {"type": "object"}}
SETTINGS = {
    "hostInfo": {"name": "desk", "version": "1"}, "hostCapabilities": {"serverTools": {}, "openLinks": {}},
    "hostContext": {"theme": "dark"}, "tool": TOOL, "tools": [TOOL, {"name": "secret", "_meta": {"ui": {"visibility": ["model"]}}}],
}
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "ui/initialize",
    "params": {"protocolVersion": "2026-01-26", "appInfo": {"name": "page", "version": "1"}, "appCapabilities": {}},
}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def posted(view):
    return [action["message"] for action in view if action["type"] == "message"]


class Views(unittest.TestCase):
    def test_a_page_gets_its_input_and_asks_its_host(self):
        with View(SETTINGS) as view:
            view.tell("input", arguments={"city": "Paris"})
            self.assertIsNone(view.poll())  # The page is not there yet.
            view.receive(json.dumps(HELLO))
            (welcome,) = posted(view)
            self.assertEqual((welcome["id"], welcome["result"]["hostContext"]["theme"]), (1, "dark"))
            view.receive({"jsonrpc": "2.0", "method": "ui/notifications/initialized"})
            actions = list(view)
            self.assertIn("ready", [action["type"] for action in actions])
            told = [action["message"] for action in actions if action["type"] == "message"]
            self.assertEqual([one["params"]["arguments"] for one in told], [{"city": "Paris"}])
            # What it may call, and what it may not.
            view.receive(request(2, "tools/call", name="chart", arguments={}))
            (asked,) = view
            self.assertEqual((asked["type"], asked["method"], asked["params"]["name"]), ("request", "tools/call", "chart"))
            view.tell("answer", id=asked["id"], result={"content": []})
            self.assertEqual([one["result"] for one in posted(view)], [{"content": []}])
            view.receive(request(3, "tools/call", name="secret", arguments={}))
            self.assertIn("error", posted(view)[0])
            view.receive("no JSON")
            view.tell("teardown", reason="closed")
            (bye,) = posted(view)
            view.receive({"jsonrpc": "2.0", "id": bye["id"], "result": {}})
            self.assertEqual([action["type"] for action in view], ["ended"])

    def test_mistakes_name_the_member(self):
        with self.assertRaisesRegex(InvalidArgument, "hostInfo"):
            View({})
        with View(SETTINGS) as view:
            for said, words in (({"type": "nothing"}, "nothing"), ({"type": "input", "arguments": 1}, "arguments")):
                with self.assertRaisesRegex(InvalidArgument, words):
                    view.tell(**said)
            with self.assertRaisesRegex(InvalidArgument, "NUL"):
                view.receive("\0")
        view.close()
        for use in (lambda: view.tell("input", arguments={}), view.poll, lambda: view.receive("{}")):
            with self.assertRaises(InvalidArgument):
                use()

    def test_the_collector_frees_what_was_forgotten(self):
        view = View(SETTINGS)
        backstop = view._backstop
        del view
        gc.collect()
        self.assertFalse(backstop.alive)

    def test_the_policy_of_a_frame(self):
        policy = view_policy({"csp": {"connectDomains": ["https://api.example", "javascript:x"]}, "permissions": {"camera": {}}})
        self.assertIn("https://api.example", policy["csp"])
        self.assertEqual((policy["allow"], len(policy["refused"])), ("camera", 1))
        policy = view_policy()
        self.assertIn("default-src", policy["csp"])
        self.assertIn(policy["csp"], policy["head"])
        self.assertIn("RTCPeerConnection", policy["head"])


if __name__ == "__main__":
    unittest.main()
