"""The Python SDK through its high-level client: `call_tool` for each call."""

import asyncio
import importlib.metadata
import sys
import time

from mcp import Client, StdioServerParameters

SLOTS = 64
TEXTS = [f"call {slot:02} of the benchmark, with enough words to be sixty-four now" for slot in range(SLOTS)]


def say(line):
    print(line, flush=True)


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


async def run(client, is_pipe, calls, samples=None):
    if not is_pipe:
        return await work(client, 0, 1, calls, samples)
    share = [calls * (slot + 1) // SLOTS - calls * slot // SLOTS for slot in range(SLOTS)]
    await asyncio.gather(*(work(client, slot, 0, share[slot], samples) for slot in range(SLOTS)))


async def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    server = options.get("url") or StdioServerParameters(command=options["server"], args=["--era", options["era"]])
    mode = "2026-07-28" if options["era"] == "modern" else "legacy"
    async with Client(server, mode=mode) as client:
        if options["workload"] == "start":
            await call(client, 0)
            say("first")
            return
        is_pipe, calls = options["workload"].endswith("pipe"), int(options["calls"])
        await run(client, is_pipe, calls // 20 + 1)
        say(f"ready version={importlib.metadata.version('mcp')}")
        wait()
        start = time.perf_counter_ns()
        await run(client, is_pipe, calls)
        say(f"done calls={calls} ns={time.perf_counter_ns() - start}")
        wait()
        samples = []
        await run(client, is_pipe, calls if calls // 10 < 100 else calls // 10, samples)
        samples.sort()
        say(f"latency p50={samples[len(samples) // 2]} p99={samples[len(samples) * 99 // 100]}")


asyncio.run(main())
