"""What the checks in Python share that run with the standard library alone (`tests/STEP/check.py`)."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# How long a compiler or a program may take, also where it waits for a processor.
LIMIT = 900


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def check(name, wrong):
    """Tells a result in the form in which `go test -v` does."""
    print(f"=== RUN   {name}", *wrong, f"--- {'FAIL' if wrong else 'PASS'}: {name}", sep="\n", flush=True)


def skip(name, why):
    print(f"=== RUN   {name}", why, f"--- SKIP: {name}", sep="\n", flush=True)


def run(words, **options):
    return subprocess.run([str(it) for it in words], cwd=ROOT, capture_output=True, text=True, **{"timeout": LIMIT} | options)


def wrong(words, **options):
    """How a program failed."""
    done = run(words, **options)
    return [] if done.returncode == 0 else [f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}"]


def linked(library):
    """What links a program to the library, and lets it find the library again."""
    return ["-L", library, "-lmcp", f"-Wl,-rpath,{library}", "-pthread"]


sys.dont_write_bytecode = True
