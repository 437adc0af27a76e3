"""The Python SDK through its high-level client: `call_tool` for each call."""

import asyncio
import contextlib
import importlib.metadata
import sys
import time

from mcp import Client, StdioServerParameters

SLOTS = 64
TEXTS = [f"call {slot:02} of the benchmark, with enough words to be sixty-four now" for slot in range(SLOTS)]


def say(line):
    print(line, flush=True)


def say_ready():
    say(f"ready version={importlib.metadata.version('mcp')}")


def wait():
    if not sys.stdin.readline():
        sys.exit("the runner is gone")


async def call(client, slot):
    result = await client.call_tool("echo", {"text": TEXTS[slot]})
    if result.content[0].text != TEXTS[slot]:
        raise ValueError(f"wrong answer: {result}")


async def work(client, first, step, calls, samples):
    """Calls one after another, beginning with a slot and going on by `step`."""
    for i in range(calls):
        start = time.perf_counter_ns()
        await call(client, (first + i * step) % SLOTS)
        if samples is not None:
            samples.append(time.perf_counter_ns() - start)


async def call_big(client, options, block):
    count = int(options["bytes"])
    escapes = options["workload"] == "big-escapes"
    text = (await client.call_tool("big", {"bytes": count, "escapes": escapes})).content[0].text
    parts = range(0, count, len(block))
    if len(text) != count or not all(text.startswith(block[: count - at], at) for at in parts):
        raise ValueError(f"wrong big answer of {len(text)} bytes")


async def run_big(client, options, calls, samples):
    with open(options["block"], encoding="ascii", newline="") as file:
        block = file.read()
    for _ in range(calls):
        start = time.perf_counter_ns()
        await call_big(client, options, block)
        if samples is not None:
            samples.append(time.perf_counter_ns() - start)


async def run(client, options, calls, samples=None):
    if options["workload"].startswith("big"):
        return await run_big(client, options, calls, samples)
    if not options["workload"].endswith("pipe"):
        return await work(client, 0, 1, calls, samples)
    share = [calls * (slot + 1) // SLOTS - calls * slot // SLOTS for slot in range(SLOTS)]
    await asyncio.gather(*(work(client, slot, 0, share[slot], samples) for slot in range(SLOTS)))


def new_client(options):
    server = options.get("url") or StdioServerParameters(command=options["server"], args=["--era", options["era"]])
    return Client(server, mode="2026-07-28" if options["era"] == "modern" else "legacy")


async def idle(options):
    """Many servers that wait."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(int(options["clients"])):
            await call(await stack.enter_async_context(new_client(options)), 0)
        say_ready()
        await asyncio.to_thread(wait)  # the loop is free for what the clients do meanwhile


async def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    if options["workload"] == "rss":
        return await idle(options)
    async with new_client(options) as client:
        if options["workload"] == "start":
            await call(client, 0)
            say("first")
            return
        calls = int(options["calls"])
        await run(client, options, calls // 20 + 1)
        say_ready()
        wait()
        start = time.perf_counter_ns()
        await run(client, options, calls)
        say(f"done calls={calls} ns={time.perf_counter_ns() - start}")
        wait()
        samples = []
        await run(client, options, calls if calls // 10 < 100 else calls // 10, samples)
        samples.sort()
        say(f"latency p50={samples[len(samples) // 2]} p99={samples[len(samples) * 99 // 100]}")


asyncio.run(main())
