"""What a hostile or broken client may send to an HTTP server. After each attack the server still answers a plain call.

MCP_ATTACKED has URLs of servers in other languages with the same tools, which get the attacks too.
"""

import asyncio
import logging
import os
import threading
import unittest

from libmcp import Server

from .attacks import ATTACKS, MIB, PATIENCE, attack


def make(ended):
    server = Server("attacked", limits={"frame_bytes": 16 * MIB})
    kept = []

    @server.tool
    def hello(name: str) -> str:
        return f"Hello, {name}!"

    @server.tool
    def fail() -> str:
        raise RuntimeError("a secret")

    @server.tool
    async def hang() -> str:
        await asyncio.get_running_loop().run_in_executor(None, ended.wait, PATIENCE)
        return "late"

    @server.tool
    async def slow() -> str:
        await asyncio.sleep(0.5)
        return "slow"

    @server.tool
    def keep() -> str:
        kept.append(bytes(MIB))
        return "kept"

    @server.tool
    def noise() -> str:
        print("noise")
        return "quiet"

    return server


class Attacks(unittest.TestCase):
    def attack(self, url):
        for name in ATTACKS:
            with self.subTest(url=url, attack=name):
                self.assertEqual(attack(url, name), "")

    def test_the_server_of_this_binding(self):
        ended = threading.Event()
        self.addCleanup(ended.set)
        logging.getLogger("libmcp.server").setLevel(logging.CRITICAL)
        self.addCleanup(logging.getLogger("libmcp.server").setLevel, logging.NOTSET)
        with make(ended) as server:
            self.attack(server.serve("http://127.0.0.1:0/mcp")["url"])
            ended.set()

    def test_servers_in_other_languages(self):
        urls = os.environ.get("MCP_ATTACKED", "").split()
        if not urls:
            raise unittest.SkipTest("MCP_ATTACKED names no server")
        for url in urls:
            self.attack(url)


if __name__ == "__main__":
    unittest.main()
