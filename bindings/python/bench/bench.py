"""Measures clients and servers of this package beside those of the official SDK, with the same peer, in turn.

    python bench/bench.py --sdk PYTHON-WITH-MCP --server COMMAND [--rounds 5] [--seconds 1]

`--sdk` is the interpreter of an environment with the package mcp, `--server` a server with the tool echo. Each client calls
echo for some time, one call after another and with 64 in flight; then each server is called by this package's asyncio client.
Prints calls per second (the median of the rounds) and their ratio to the official ones of the same round.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time

TEXT = {"text": "x" * 64}
IN_FLIGHT = 64


async def load(call, seconds, at_once):
    """Calls per second, after a tenth of the time for warming up."""

    async def many(end):
        done = 0
        while time.perf_counter() < end:
            await call()
            done += 1
        return done

    await asyncio.gather(*(many(time.perf_counter() + seconds / 10) for _ in range(at_once)))
    begun = time.perf_counter()
    counts = await asyncio.gather(*(many(begun + seconds) for _ in range(at_once)))
    return sum(counts) / (time.perf_counter() - begun)


async def measured(call, seconds):
    return [await load(call, seconds, 1), await load(call, seconds, IN_FLIGHT)]


async def ours(command, seconds):
    from libmcp import AsyncClient

    async with AsyncClient({"command": command[0], "args": command[1:], "inherit_env": "all"}) as client:
        return await measured(lambda: client.call_tool("echo", TEXT), seconds)


async def official(command, seconds):
    import mcp

    server = mcp.StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    if hasattr(mcp, "Client"):
        async with mcp.Client(server) as client:
            return await measured(lambda: client.call_tool("echo", TEXT), seconds)
    from mcp.client.stdio import stdio_client

    async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
        await session.initialize()
        return await measured(lambda: session.call_tool("echo", TEXT), seconds)


def blocking(command, seconds):
    """One call after another, and 64 threads."""
    import threading

    from libmcp import Client

    with Client({"command": command[0], "args": command[1:], "inherit_env": "all"}) as client:

        def many(end, counts):
            done = 0
            while time.perf_counter() < end:
                client.call_tool("echo", TEXT)
                done += 1
            counts.append(done)

        def run(at_once):
            counts: list = []
            begun = time.perf_counter()
            threads = [threading.Thread(target=many, args=(begun + seconds, counts)) for _ in range(at_once)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return sum(counts) / (time.perf_counter() - begun)

        return [run(1), run(IN_FLIGHT)]


def serve_ours():
    from libmcp import Server

    server = Server("echo")

    @server.tool
    async def echo(text: str) -> str:
        return text

    asyncio.run(server.run_async())


def serve_ours_on_threads():
    from libmcp import Server

    server = Server("echo")

    @server.tool
    def echo(text: str) -> str:
        return text

    server.run()


def serve_official():
    try:
        from mcp.server.mcpserver import MCPServer
    except ModuleNotFoundError:
        from mcp.server.fastmcp import FastMCP as MCPServer
    server = MCPServer("echo")

    @server.tool()
    async def echo(text: str) -> str:
        return text

    server.run()


ROLES = {"serve-ours": serve_ours, "serve-threads": serve_ours_on_threads, "serve-official": serve_official}


def main():
    if sys.argv[1:2] and sys.argv[1] in ROLES:
        return ROLES[sys.argv[1]]()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdk", help="the interpreter with the official SDK")
    parser.add_argument("--server", help="a server with the tool echo")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--role", choices=["ours", "official", "blocking"], help=argparse.SUPPRESS)
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.role:
        run = {"ours": ours, "official": official, "blocking": blocking}[given.role](given.command, given.seconds)
        print(json.dumps(run if given.role == "blocking" else asyncio.run(run)))
        return None
    me = [sys.executable, os.path.abspath(__file__)]
    sdk = [given.sdk, os.path.abspath(__file__)]
    subjects = {
        "client, official": (sdk, "official", [given.server]),
        "client, asyncio": (me, "ours", [given.server]),
        "client, blocking": (me, "blocking", [given.server]),
        "server, official": (me, "ours", [*sdk, "serve-official"]),
        "server, coroutine": (me, "ours", [*me, "serve-ours"]),
        "server, threads": (me, "ours", [*me, "serve-threads"]),
    }
    seen = {name: [] for name in subjects}
    for number in range(1, given.rounds + 1):
        for name, (program, role, command) in subjects.items():
            words = [*program, "--role", role, "--seconds", str(given.seconds), *command]
            done = subprocess.run(words, stdout=subprocess.PIPE, check=True, timeout=60 + 10 * given.seconds)
            seen[name].append(json.loads(done.stdout))
        print(f"round {number} of {given.rounds}", file=sys.stderr)
    print(f"{'':20} {'one by one':>22} {f'{IN_FLIGHT} in flight':>22}")
    for name, rounds in seen.items():
        cells = []
        for column in (0, 1):
            rates = [figures[column] for figures in rounds]
            others = [figures[column] for figures in seen[name.split(",")[0] + ", official"]]
            ratio = statistics.median(rate / other for rate, other in zip(rates, others))
            cells.append(f"{statistics.median(rates):>12,.0f}/s {ratio:>6.1f} x")
        print(f"{name:20} {cells[0]:>22} {cells[1]:>22}")
    return None


main()
