"""Measures ten calls of generated Python, each with the result of the one before, for docs/guide/generate.md. Run by hand:

    mcp generate python --into tools --module example EXAMPLE
    PYTHONPATH=tools python tests/generate/chained.py EXAMPLE

EXAMPLE is the example server (`cargo xtask servers`). The binding `libmcp` is installed.
"""

import statistics
import sys
import time

from example.add import add
from libmcp import Client

CALLS, RUNS = 10, 50


def main() -> None:
    times = []
    with Client({"command": sys.argv[1]}) as client:
        client.connect()
        for _ in range(RUNS):
            began = time.perf_counter()
            total = 0.0
            for _ in range(CALLS):
                total = add(client, a=total, b=1)["sum"]
            times.append((time.perf_counter() - began) * 1000)
            if total != CALLS:
                sys.exit(f"the sum of {CALLS} calls is {total}")
    print(f"{CALLS} calls: median of {RUNS} runs {statistics.median(times):.2f} ms, from {min(times):.2f} to {max(times):.2f}")


main()
