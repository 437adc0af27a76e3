"""Fifty servers under mixed load with random faults (`load.c`), watched from outside. It fails when a call has not exactly one outcome in its
time, when something is left at the end, or when memory, threads, descriptors, children, the processor time of a call or its time go on growing.

    cargo xtask soak [--minutes N] [--seed N] [--record]
"""

import argparse
import os
import statistics
import subprocess
import threading
from collections import namedtuple
from pathlib import Path

import support

RECORD = support.ROOT / "docs/reference/soak.svg"

# What is seen at one moment: the line that the load prints each second (its second, the calls that have ended, what half and 99 of 100 of the
# good small calls of this second took at the most, what it has allocated; -1 where there is no such number), and what /proc says: the
# processor time of the process, and that of a call that has ended since the sample before.
Sample = namedtuple("Sample", "second calls half_us most_us heap_kib used_us cost_us rss_kib threads descriptors children")

# A figure that is watched, and how much it may grow over the second half of the run: by this share of its middle value, or by so much,
# whichever is more. The time of a call, and how many connections are open at a moment, say more of the library than of what else the machine
# does in a long run alone; what is left open at the end of a short one the load finds by itself.
Figure = namedtuple("Figure", "name unit of share least judged_from", defaults=[0])
FIGURES = [
    Figure("resident memory", " MiB", lambda it: it.rss_kib / 1024, 0.15, 8),
    Figure("heap in use", " MiB", lambda it: it.heap_kib / 1024, 0.25, 6),
    Figure("threads", "", lambda it: it.threads, 0, 2),
    Figure("descriptors", "", lambda it: it.descriptors, 0.25, 32, 600),
    Figure("children", "", lambda it: it.children, 0.05, 4),
    Figure("processor time of a call", " ms", lambda it: it.cost_us / 1000, 0.25, 0.2),
    Figure("middle time of a small call", " ms", lambda it: it.half_us / 1000, 0.5, 2, 600),
]


def sample(line, process, before):
    """None if the process is gone already."""
    second, calls, half, most, heap = map(float, line.split()[1:])
    place = Path("/proc") / str(process)
    try:
        status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        # The time of the process alone: its servers end and are waited for. Its name, which may have anything, is in brackets.
        user, kernel = (place / "stat").read_text().rpartition(")")[2].split()[11:13]
        descriptors = len(os.listdir(place / "fd"))
    except (FileNotFoundError, ProcessLookupError):
        return None
    children = 0
    for task in (place / "task").glob("*/children"):
        try:
            children += len(task.read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            # The thread has ended since; then its children are another's.
            pass
    used = (int(user) + int(kernel)) / os.sysconf("SC_CLK_TCK") * 1e6
    cost = (used - before.used_us) / (calls - before.calls) if before and calls > before.calls else -1
    rss, threads = float(status["VmRSS"].split()[0]), float(status["Threads"])
    return Sample(second, calls, half, most, heap, used, cost, rss, threads, descriptors, children)


def watched(words, limit, errors):
    """Runs the load; gives the samples, and what it said at its end."""
    samples, totals = [], []
    # Each arena of malloc keeps the most that it ever held; with few of them memory follows what is used.
    env = support.environment({"MALLOC_ARENA_MAX": 2, "LD_LIBRARY_PATH": None})
    with errors.open("w") as file:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file, env=env, text=True)
    late = threading.Timer(limit, child.kill)
    late.start()
    with child:
        for line in child.stdout:
            if line.startswith("sample ") and (seen := sample(line, child.pid, samples[-1] if samples else None)):
                samples.append(seen)
            elif line.startswith("total "):
                totals.append(line.removeprefix("total ").strip())
    late.cancel()
    how = f"it ended with {child.returncode}" if child.returncode >= 0 else f"it was ended by signal {-child.returncode} (limit {limit} s)"
    assert child.returncode == 0, f"{how}\n{errors.read_text()}\n{', '.join(totals)}"
    assert samples, "there were no samples"
    return samples, totals


def middle(values):
    return statistics.median_high(values)


def slope(points):
    """The middle one of the slopes between all pairs (Theil and Sen), which single moments do not bend; of long runs every few seconds are one
    point."""
    step = max(1, -(-len(points) // 1000))
    chunks = [points[at : at + step] for at in range(0, len(points), step)]
    points = [(chunk[len(chunk) // 2][0], middle([y for _, y in chunk])) for chunk in chunks]
    slopes = [(z - y) / (later - x) for at, (x, y) in enumerate(points) for later, z in points[at + 1 :] if later > x]
    return middle(slopes) if slopes else 0.0


def series(samples, of):
    return [(it.second, of(it)) for it in samples if of(it) >= 0]


class Finding:
    """What one figure did: a line through the second half of the run against what it may grow in that time. The load looks by itself whether
    all was given back at the end; here is found what is kept until then."""

    def __init__(self, figure, samples):
        self.figure, self.points = figure, series(samples, figure.of)
        half = [point for point in self.points if point[0] >= self.points[-1][0] / 2]
        by = slope(half)
        self.middle = middle([y for _, y in half])
        offset = middle([y - by * x for x, y in half])
        self.line = [(x, offset + by * x) for x in (half[0][0], half[-1][0])]
        self.growth = by * (half[-1][0] - half[0][0])
        self.allowed = max(figure.least, figure.share * self.middle)
        self.is_judged = samples[-1].second >= figure.judged_from
        self.grows = self.is_judged and self.growth > self.allowed

    def __str__(self):
        verdict = "GROWS" if self.grows else "steady" if self.is_judged else "not judged in a run so short"
        unit, values = self.figure.unit, [y for _, y in self.points]
        return (
            f"{verdict}: {self.figure.name} {self.middle:.1f}{unit} ({min(values):.1f} to {max(values):.1f}); "
            f"over the second half {self.growth:+.2f}{unit}, allowed {self.allowed:.2f}"
        )


def judge(samples):
    return [Finding(figure, samples) for figure in FIGURES if series(samples, figure.of)]


def panel(top, end, note, points, colour, line=()):
    """A curve of the picture below its note."""
    most = max([1.0, *(y for _, y in points)])

    def place(x, y):
        return f"{60 + x / end * 640:.1f},{top + 80 - min(max(y, 0) / most, 1) * 80:.1f}"

    # More points would only make the file longer.
    step = max(1, -(-len(points) // 320))
    chunks = [points[at : at + step] for at in range(0, len(points), step)]
    curve = " ".join(place(statistics.fmean(x for x, _ in chunk), statistics.fmean(y for _, y in chunk)) for chunk in chunks)
    return (
        f'<text x="60" y="{top - 6}" fill="#222222">{note}</text>'
        f'<rect x="60" y="{top}" width="640" height="80" fill="none" stroke="#dddddd"/>\n'
        f'<text x="55" y="{top + 9}" text-anchor="end" fill="#666666">{most:.0f}</text>'
        f'<text x="55" y="{top + 80}" text-anchor="end" fill="#666666">0</text>\n'
        f'<polyline fill="none" stroke="{colour}" points="{curve}"/>\n'
        f'<polyline fill="none" stroke="#cf222e" stroke-width="1.5" points="{" ".join(place(*point) for point in line)}"/>\n'
    )


def picture(title, samples, found):
    """The run as SVG: a panel for each figure, with the line through its second half."""
    pairs = list(zip(samples, samples[1:]))
    rate = [(b.second, (b.calls - a.calls) / max(b.second - a.second, 0.001)) for a, b in pairs]
    panels = [(it, it.points, "#1f6feb", it.line) for it in found]
    most = series(samples, lambda it: it.most_us / 1000)
    panels.append(("what 99 of 100 small calls of a second took at the most, ms", most, "#9a6700"))
    panels.append(("calls ended each second", rate, "#57606a"))
    end, height = max(samples[-1].second, 1), 50 + 114 * len(panels)
    drawn = "".join(panel(50 + 114 * number, end, *of) for number, of in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-family="sans-serif" font-size="11">\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n<text x="12" y="20" font-size="14" fill="#222222">{title}</text>\n{drawn}</svg>\n'
    )


def soak(seconds, seed=1, plant=None, drawn=None):
    """One run. Gives the report, or raises what was wrong."""
    folder = support.scratch("soak")
    program = support.compiled("tests/soak/load.c", "soak")
    servers = [support.places()[name] for name in ["example_server", "scripted_server", "scripted_http"]]
    words = [program, *servers, str(seconds), str(seed), *([plant] if plant else [])]
    samples, totals = watched(words, seconds + 90, folder / "load.err")
    (folder / "samples.txt").write_text("\n".join(" ".join(map(str, row)) for row in [Sample._fields, *samples]) + "\n")
    found, drawn = judge(samples), drawn or folder / "soak.svg"
    title = f"libmcp: {-(-seconds // 60)} minutes, 50 servers, seed {seed}"
    drawn.write_text(picture(title, samples, found))
    report = "\n".join([*map(str, found), ", ".join(totals), f"picture: {drawn}"])
    assert not any(it.grows for it in found), report
    return report


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask soak", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--minutes", type=int, default=2, help="how long the load lasts (2)")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with (1)")
    parser.add_argument("--record", action="store_true", help=f"write the picture to {RECORD}, not only to target/xtask/soak")
    given = parser.parse_args()
    print(soak(60 * max(given.minutes, 1), given.seed, drawn=RECORD if given.record else None))


if __name__ == "__main__":
    main()
