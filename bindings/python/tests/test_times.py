"""A timedelta in configurations and options becomes the number that the library takes."""

import math
import unittest
from datetime import timedelta
from decimal import Decimal

import libmcp
from libmcp import Client, Server, open_config

#: Each is above what a key may be; the library then says which number it got.
LONG, HOURS = timedelta(days=400), timedelta(hours=2)
LONG_MS, HOURS_S = "34560000000", "7200"


class Times(unittest.TestCase):
    def refused(self, key, number, function, *arguments, **named):
        with self.assertRaises(libmcp.InvalidArgument) as caught:
            function(*arguments, **named)
        self.assertIn(f"'{key}': {number} is not a whole number", str(caught.exception))

    def no_time(self, what, function, *arguments, **named):
        with self.assertRaises(libmcp.InvalidArgument) as caught:
            function(*arguments, **named)
        self.assertEqual(str(caught.exception), f"{what} is no time")

    def test_a_key_in_milliseconds_is_sent_as_such(self):
        server = Server("shop", cache={"ttl_ms": timedelta(minutes=5, milliseconds=7)})
        server.tool(lambda: "tea", name="tea")
        with server, Client({"protocol": "modern"}, server=server) as client:
            self.assertEqual(client.call("tools/list")["ttlMs"], 300_007)

    def test_a_key_in_seconds_is_sent_as_such(self):
        self.refused("auth.dpop_seconds", HOURS_S, Server, "shop", auth={"dpop_seconds": HOURS})
        with self.assertRaises(libmcp.InvalidArgument) as caught:
            Server("shop", auth={"dpop_seconds": timedelta(minutes=1)})
        self.assertNotIn("dpop_seconds", str(caught.exception))  # A good one; other keys are missing.

    def test_a_path_names_the_key(self):
        self.refused("timeouts.call_ms", LONG_MS, Client, {"command": "x", "timeouts": {"call_ms": LONG}})
        for method in ("tools/call", "com.example/other"):
            config = {"command": "x", "timeouts": {"methods": {method: LONG}}}
            self.refused(f"timeouts.methods.{method}", LONG_MS, Client, config)
        self.refused("cache.ttl_ms.tools/list", LONG_MS, Client, {"command": "x", "cache": {"ttl_ms": {"tools/list": LONG}}})

    def test_options_of_a_call_are_times_too(self):
        server = Server("shop")
        server.tool(lambda: "tea", name="tea")
        with server, Client({}, server=server) as client:
            self.assertEqual(client.call_tool("tea", task_ttl_ms=HOURS, timeout=HOURS, max_total=HOURS).text, "tea")
            self.refused("task_ttl_ms", LONG_MS, client.call_tool, "tea", task_ttl_ms=LONG)
            for key in ("timeout_ms", "max_total_ms"):
                self.refused(key, LONG_MS, client.call, "ping", **{key: LONG})
                self.refused(key, LONG_MS, client.call_tool, "tea", **{key: LONG})

    def test_a_time_may_be_without_a_limit_and_an_invalid_one_is_refused_by_its_own_name(self):
        server = Server("shop")
        server.tool(lambda: "tea", name="tea")
        with server, Client({}, server=server) as client:
            for good in (math.inf, 1e300, 2**80, 5, timedelta.max, Decimal("1.5"), 0.5):
                client.connect(timeout=good)
                self.assertEqual(client.call_tool("tea", timeout=good, max_total=good).text, "tea", good)
            for bad in (-1, -math.inf, math.nan, "5", "soon", timedelta(seconds=-1), [1], True, False):
                for name in ("timeout", "max_total"):
                    with self.assertRaisesRegex(libmcp.InvalidArgument, f"^{name} must be a number of seconds from 0.*; it is "):
                        client.call_tool("tea", **{name: bad})
                for function in (client.connect, client.logout, client.close, server.close):
                    with self.assertRaisesRegex(libmcp.InvalidArgument, "^timeout must be a number of seconds from 0"):
                        function(timeout=bad)
            self.assertEqual(client.call_tool("tea").text, "tea", "what was refused has done nothing")
        with self.assertRaisesRegex(libmcp.InvalidArgument, "'timeouts.call_ms' is inf"):
            Client({"command": "x", "timeouts": {"call_ms": math.inf}})

    def test_what_is_no_time_is_refused_before_anything_is_sent(self):
        self.no_time("client: 'limits.list_pages'", Client, {"command": "x", "limits": {"list_pages": LONG}})
        self.no_time("client: 'timeouts.methods.x.y'", Client, {"command": "x", "timeouts": {"methods": {"x": {"y": LONG}}}})
        self.no_time("client: 'queue_messages'", open_config, "no-such-file", defaults={"queue_messages": LONG})
        self.no_time("server: 'page_size'", Server, "shop", page_size=LONG)
        called = []
        server = Server("shop")
        server.tool(lambda: called.append(1), name="tea")
        with server, Client({}, server=server) as client:
            self.no_time("call: 'meta.a.b'", client.call, "ping", meta={"a": {"b": LONG}})
            self.no_time("feature_call: 'retry'", client.call_tool, "tea", retry=LONG)
            self.assertEqual((called, client.info()["counters"]["calls"]), ([], 0))
