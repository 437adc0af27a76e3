"""The official conformance suite as a program, and what is expected of it: `expected.txt` and `expected-server.txt` have every scenario of
the suite for one side, with the checks that must succeed in it, or what it waits for."""

import json
import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import support

# The revisions whose scenarios must all be in the files.
REVISIONS = ["2025-11-25", "2026-07-28"]
# What stands for a revision with the scenarios of the skills extension, which no revision's list has; and where they are played.
SKILLS, SKILLS_AT = "skills", "2026-07-28"
# What stands behind a revision in the lines that say what succeeds against no server.
WITHOUT = "-without-server"
FILES = {"client": "expected.txt", "server": "expected-server.txt"}
# How often a check succeeds that is made once for each request: how many requests a login takes depends on which ports are free.
OFTEN = "often"
HINT = "If the new result is right, write it into tests/conformance/{}: REVISION SCENARIO: CHECK CHECK*TIMES CHECK+"


def expected(side):
    """For each scenario (revision, name) its checks with how often each succeeds, or the text of what it waits for. A line is such as
    `2026-07-28 tools_call: tool-add-numbers` or `2026-07-28 auth/dpop later: authorization`."""
    found = {}
    for line in (Path(__file__).parent / FILES[side]).read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        parts = re.fullmatch(r"(\S+) (\S+?)( later)?: (.+)", line)
        assert parts, f"{FILES[side]}: what is '{line}'?"
        scenario, later, text = (parts[1], parts[2]), parts[3], parts[4]
        assert scenario not in found, f"{FILES[side]} has {scenario} twice"
        found[scenario] = text if later else dict(map(check, text.split(" ")))
    return found


def check(text):
    """`ID`, `ID*N` for one that succeeds N times, or `ID+` for one that does at least once."""
    if text.endswith("+"):
        return text[:-1], OFTEN
    name, _, times = text.partition("*")
    return name, int(times or 1)


def written(checks):
    """Checks as a line of the file has them."""
    forms = {OFTEN: "{}+", 1: "{}"}
    return " ".join(forms.get(times, "{}*{}").format(name, times) for name, times in sorted(checks.items()))


def same(wanted, succeeded):
    """Whether exactly the expected checks succeeded."""
    return wanted.keys() == succeeded.keys() and all(times in (OFTEN, succeeded[name]) for name, times in wanted.items())


def listed(text, side):
    """The scenarios of one side in what `conformance list --requirements` prints: those that are scored have a heading of their own, the
    others a mark."""
    heading, mark = f"{side.capitalize()} scenarios", f" [{side}]"
    names, below = set(), False
    for line in filter(str.strip, text.splitlines()):
        item = line.strip().removeprefix("- ")
        if item == line.strip():
            below = line.startswith(heading)
        elif item.endswith(mark):
            names.add(item.removesuffix(mark))
        elif below and " " not in item:
            names.add(item)
    return names


def command(*words):
    suite = support.peer("conformance")
    return [suite["node"], suite["program"], *words]


def knows_all(side, revision):
    """The expectations name exactly the scenarios that the suite has for one side at a revision."""
    found = support.run(command("list", "--requirements", revision), 90).well()
    names = listed(found.stdout, side)
    assert names, f"the suite lists no {side} scenario: {found.story()}"
    named = {name for at, name in expected(side) if at == revision}
    assert names == named, f"only in one of suite and {FILES[side]}: {sorted(names ^ named)}. {HINT.format(FILES[side])}"


class Found:
    """The checks of one run of a scenario: how often each succeeded or, marked, was skipped; and what failed. What the suite only notes is
    not among them."""

    def __init__(self, checks):
        self.succeeded, self.failed = Counter(), []
        for it in checks:
            if it["status"] == "SUCCESS":
                self.succeeded[it["id"]] += 1
            elif it["status"] == "SKIPPED":
                self.succeeded[f"skipped:{it['id']}"] += 1
            elif it["status"] != "INFO":
                self.failed.append(f"{it['status']} {it['id']}: {it.get('errorMessage') or 'no reason is given'}")

    def matches(self, wanted, side):
        """Exactly the expected checks succeeded, and none failed."""
        assert not self.failed, "\n".join(self.failed)
        assert same(wanted, self.succeeded), (
            f"expected  {written(wanted)}\nsucceeded {written(self.succeeded)}\n{HINT.format(FILES[side])}")

    def without_skipped(self):
        self.succeeded = Counter({name: times for name, times in self.succeeded.items() if not name.startswith("skipped:")})
        return self


def output(label):
    """An empty folder for what the suite writes."""
    folder = support.scratch("conformance/runs") / label
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def checks_files(folder, story):
    """The files of checks: the suite makes a folder for each scenario, whose name has the time."""
    files = sorted(folder.rglob("checks.json"))
    assert files, f"there is no checks.json below {folder}: {story}"
    return files


def play_client(scenario, program, limit=support.LIMIT):
    """One scenario for clients against a program; the suite splits its command at blanks, so the program is named from its own folder."""
    revision, name = scenario
    folder = output(support.file_name(f"{name}-{revision}"))
    at = SKILLS_AT if revision == SKILLS else revision
    words = command("client", "--command", f"./{program.name}", "--scenario", name, "--spec-version", at, "-o", folder)
    # Scenarios of extensions, which the suite skips at a revision unless told not to.
    if revision == SKILLS or name in EXTENSIONS:
        words.append("--force")
    # The suite gives up on a client after 30 s.
    finished = support.run(words, limit, cwd=program.parent).well()
    [file] = checks_files(folder, finished.story())
    # What a client does not do, such as a login that it may refuse, the suite skips in some runs only.
    return Found(json.loads(file.read_text())).without_skipped()


EXTENSIONS = {
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/enterprise-managed-authorization",
    "auth/dpop",
    "auth/dpop-nonce",
    "auth/wif-jwt-bearer",
}


def play_servers(revision, url, label):
    """Plays every scenario that a revision requires, and those beside them; gives what was found, by name."""
    if revision == SKILLS:
        names = [name for (at, name), wanted in expected("server").items() if at == SKILLS and not isinstance(wanted, str)]
        found = {}
        for name in names:
            more = ["--scenario", name, "--force", "--spec-version", SKILLS_AT]
            found |= play(url, f"servers-{label}-{name}", *more)
        return found
    return play(url, f"servers-{label}-{revision}", "--requirements", revision)


def play(url, label, *more):
    folder = output(label)
    # Its status is about the scenarios that are scored; the files tell of all.
    finished = support.run(command("server", "--url", url, *more, "-o", folder), 300)
    assert finished.code is not None, finished.story()
    found = defaultdict(list)
    for file in checks_files(folder, finished.story()):
        found[scenario_of(file)].append(file)
    twice = [name for name, files in found.items() if len(files) > 1]
    assert not twice, f"played twice: {twice}"
    return {name: Found(json.loads(file.read_text())) for name, [file] in found.items()}


def scenario_of(file):
    """The scenario in the name of a folder such as `server-tools-list-2026-11-23T17-30-35-509Z`."""
    parts = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", file.parent.name)
    assert parts, f"which scenario is {file}?"
    return parts[1]
