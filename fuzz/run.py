#!/usr/bin/env python3
"""The fuzz targets, built as cargo-fuzz builds them and run one beside the other: `cargo xtask fuzz`, and the step `fuzz` of the tests.

libFuzzer comes with the crate libfuzzer-sys and the sanitizer with Rust, so that nothing need be installed. The flags are for nightly Rust
only, hence RUSTC_BOOTSTRAP; nothing that is shipped is built so. The results are told in the form in which `go test -v` does.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = sorted(path.stem for path in (ROOT / "fuzz/fuzz_targets").glob("*.rs"))
# AddressSanitizer, and LLVM's counting of what was reached, as libFuzzer wants it.
FLAGS = """-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer --cfg=fuzzing -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
    -Cllvm-args=-sanitizer-coverage-stack-depth -Cllvm-args=-simplifycfg-branch-fold-threshold=0""".split()
# Next to no optimization, also of the packages for which `fuzz/Cargo.toml` says something of its own: where each target runs for seconds,
# most of the time goes to the compiler.
LITTLE = [f"profile.release.{it}" for it in ("opt-level=0", "debug=false", *(f"package.{ours}.opt-level=0" for ours in ("mcp", "mcp-base", "mcp-core")))]
# How long one input may take, in seconds; a busy machine and the sanitizer included.
PATIENCE = 60
# What cargo told this program of its own package: a build script that asks for it would run again.
OF_A_PACKAGE = ("CARGO_MANIFEST_", "CARGO_PKG_")


def build(options):
    """Builds the targets; gives their folder."""
    host = re.search("^host: (.*)", subprocess.run(["rustc", "-vV"], cwd=ROOT, capture_output=True, text=True).stdout, re.M)[1]
    # With --target the flags are not for build scripts and macros.
    words = ["build", "--quiet", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target", host]
    words += ["--target-dir", options.folder / "fuzz"] + (["--bin", options.target] if options.target else [])
    words += [word for line in LITTLE for word in ("--config", line)] if options.little else []
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OF_A_PACKAGE)}
    env = kept | {"RUSTC_BOOTSTRAP": "1", "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(FLAGS)}
    if subprocess.run([os.environ.get("CARGO", "cargo"), *words], cwd=ROOT, env=env).returncode:
        sys.exit("the fuzz targets do not build")
    return options.folder / "fuzz" / host / "release"


def run(program, options):
    """Starts from the inputs in `fuzz/corpus` and those that earlier runs on this machine found. Gives what it did, and what is wrong."""
    work = options.folder / "xtask/fuzz" / program.name
    for name in ("found", "failures"):
        (work / name).mkdir(parents=True, exist_ok=True)
    words = [program, f"-max_total_time={options.seconds}", f"-timeout={PATIENCE}", "-rss_limit_mb=2048", "-max_len=4096"]
    words += ["-print_final_stats=1"]
    # The same inputs in each run of the same program, as far as its time allows: a fault that a run finds is there for everyone, and none
    # appears by chance in a change that has nothing to do with it.
    words += ["-seed=1"] if options.repeatable else []
    words += [f"-artifact_prefix={work / 'failures'}/", work / "found", ROOT / "fuzz/corpus" / program.name]
    log = work / "log"
    with log.open("wb") as file:
        try:
            limit = options.seconds + 2 * PATIENCE + 60
            code = subprocess.run(words, stdout=file, stderr=file, env=os.environ | {"RUST_BACKTRACE": "1"}, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            code = f"nothing within {limit} s"
    said = log.read_text(errors="replace")
    done = re.findall(r"cov: (\d+) ft: (\d+)", said)
    count = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    if code == 0 and done and count:
        return f"{count[1]} executions, {done[-1][0]} edges, {done[-1][1]} features", None
    # The line after a panic's place is its message.
    story = re.findall("^.*panicked at.*\n.*|^.*(?:ERROR: |SUMMARY: ).*", said, re.M)
    input = re.search("Test unit written to (.*)", said)
    again = f"the input: {input[1]}\nagain: {program} {input[1]}" if input else f"it ended with {code}\n{said[-2000:]}"
    return None, "\n".join([*story, again, f"all of it: {log}"])


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask fuzz", description="Runs the fuzz targets, as many at a time as processors.")
    parser.add_argument("--target", choices=TARGETS, help="only this one")
    parser.add_argument("--seconds", type=int, default=60, help="how long each runs; 0: build them alone")
    parser.add_argument("--little", action="store_true", help="optimize next to nothing, for runs of seconds")
    parser.add_argument("--repeatable", action="store_true", help="make the same inputs in each run")
    parser.add_argument("--folder", type=Path, default=ROOT / "target", help=argparse.SUPPRESS)
    options = parser.parse_args()
    programs = build(options)
    names = [options.target] if options.target else TARGETS
    failed = 0
    if options.seconds:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, (did, why) in zip(names, pool.map(lambda name: run(programs / name, options), names)):
                failed += bool(why)
                title = f"{name} for {options.seconds} s" + (f": {did}" if did else "")
                print(f"=== RUN   {title}", *filter(None, [why]), f"--- {'FAIL' if why else 'PASS'}: {title}", sep="\n", flush=True)
    sys.exit(f"{failed} targets failed" if failed else None)


main()
