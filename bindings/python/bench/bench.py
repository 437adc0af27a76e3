"""This package as benches/languages.py measures it beside the official SDK: a client, or a server.

    python bench.py workload=seq|pipe era=legacy server=PROGRAM calls=N [threads=1]
    python bench.py stdio|http [threads]

As a client it speaks the lines of benches/contenders, with the asyncio client, or with the blocking one in threads. A server has
coroutines as tools, or functions that run in threads. Over HTTP it says its URL, and ends with its input.
"""

import asyncio
import sys
import threading
import time

from libmcp import AsyncClient, Client, Server

SLOTS = 64
TEXTS = [f"call {slot:02} of the benchmark, with enough words to be sixty-four now" for slot in range(SLOTS)]


def say(line):
    print(line, flush=True)


def wait():
    if not sys.stdin.readline():
        sys.exit("the runner is gone")


def looked_at(result, text):
    if result.text != text:
        raise ValueError(f"echo says {result}")


async def one_of(client, text, calls):
    for _ in range(calls):
        looked_at(await client.call_tool("echo", {"text": text}), text)


async def work(client, at, calls):
    await asyncio.gather(*(one_of(client, text, calls // at) for text in TEXTS[:at]))


async def measure(config, at, calls):
    async with AsyncClient(config) as client:
        await work(client, at, calls // 10 + at)
        say("ready version=libmcp")
        wait()
        begun = time.perf_counter_ns()
        await work(client, at, calls)
        say(f"done calls={calls // at * at} ns={time.perf_counter_ns() - begun}")
        wait()


def in_threads(client, at, calls):
    def one(text):
        for _ in range(calls // at):
            looked_at(client.call_tool("echo", {"text": text}), text)

    threads = [threading.Thread(target=one, args=[text]) for text in TEXTS[:at]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure_threads(config, at, calls):
    with Client(config) as client:
        in_threads(client, at, calls // 10 + at)
        say("ready version=libmcp")
        wait()
        begun = time.perf_counter_ns()
        in_threads(client, at, calls)
        say(f"done calls={calls // at * at} ns={time.perf_counter_ns() - begun}")
        wait()


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def add_tools(server, is_threaded):
    if is_threaded:

        @server.tool
        def echo(text: str) -> str:
            return text

    else:

        @server.tool
        async def echo(text: str) -> str:
            return text

    @server.tool
    async def hello(name: str) -> str:
        return f"Hello, {name}!"

    @server.tool
    async def calculate_fibonacci(n: int) -> str:
        return str(fibonacci(n))

    @server.tool
    async def process_json_data(data: dict) -> dict:
        return {key: value.upper() if isinstance(value, str) else value for key, value in data.items()}

    @server.tool
    async def simulate_database_query(query: str, delay_ms: int) -> str:
        await asyncio.sleep(delay_ms / 1000)
        return query


def serve(how, is_threaded):
    server = Server("bench")
    add_tools(server, is_threaded)
    if how == "stdio":
        server.run() if is_threaded else asyncio.run(server.run_async())
        return
    with server:
        say(server.serve("http://127.0.0.1:0/mcp")["url"])
        sys.stdin.read()


def main():
    words = sys.argv[1:]
    if words and words[0] in ("stdio", "http"):
        serve(words[0], "threads" in words)
        return
    options = dict(word.split("=", 1) for word in words)
    config = {"command": options["server"], "args": ["--era", options["era"]]}
    at, calls = SLOTS if options["workload"] == "pipe" else 1, int(options["calls"])
    if "threads" in options:
        measure_threads(config, at, calls)
    else:
        asyncio.run(measure(config, at, calls))


main()
