"""What may be in the library, as `deny.toml` says: licences, where crates come from, no crate twice, and no advisory of RustSec, which
cargo-deny judges; and whether the records of docs/audits.toml are of the crates that `Cargo.lock` has.

The step `deny` runs this with the standard library alone, and counts its lines: check.py [CARGO-DENY]
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from checks import check, read, run, skip  # noqa: E402

# The database of advisories is a hundred times as fast, unless something holds the packets back.
LIMIT = 90
# Policies that the crates break: what is changed in `deny.toml`, the check that must find it, and what that says.
PLANTED = {
    "a licence that is not allowed": ('    "MIT",\n', "", "licenses", "license is not explicitly allowed"),
    "a crate in two versions": ('crate = "windows-sys@', 'crate = "none@', "bans", "error[duplicate]"),
    "a crate from another registry": ("rust-lang/crates.io-index", "none/none", "sources", "error[source-not-allowed]"),
}


def judged(about, checks, *policy):
    """What cargo-deny finds wrong; None where it does not end in time."""
    words = [sys.argv[1], "--locked", "--color", "never", *about, *policy, "check", "--hide-inclusion-graph", *checks]
    try:
        done = run(words, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return done.stderr or done.stdout or str(done.returncode) if done.returncode else ""


def no_database(said):
    """Why the advisories could not be looked at, if that is it: the machine has no way to the database."""
    away = re.search(r"failed to fetch advisory database\s+(\S+://\S+)?", said or "")
    why = f"no way to {away[1]}" if away else f"nothing came in {LIMIT} s" if said is None else None
    return why and f"{why}; where there is a way: cargo deny --workspace check advisories"


def stale(records, lock):
    """The records that are not of the version and the checksum that are compiled."""
    rows = re.findall(r'^\[\[section\.record\]\]\ncrate = "`(.*)`"\nversion = "(.*)"\nchecksum = "`(.*)`"', records, re.M)
    wrong = [] if rows else ["there is no record"]
    for name, version, digest in rows:
        crates = dict(re.findall(rf'^name = "{re.escape(name)}"\nversion = "(.*)"\n(?:source = .*\n)?checksum = "(.*)"', lock, re.M))
        if version not in crates:
            has = " and ".join(crates) or "no version"
            wrong.append(f"the record of {name} is of version {version}, and Cargo.lock has {has}: read what has changed, then write the "
                         "record again, or remove it if the crate is gone")
        elif len(digest) != 16 or not crates[version].startswith(digest):
            wrong.append(f"the record of {name} {version} has the checksum {digest}, and Cargo.lock has {crates[version]}: these are other "
                         "sources, or the record does not have the first 16 digits")
    return wrong


def records():
    """The records, and rows that must be found."""
    lock = read("Cargo.lock")
    check("the records in docs/audits.toml are of the crates in Cargo.lock", stale(read("docs/audits.toml"), lock))
    small = 'name = "a"\nversion = "1.0.0"\nchecksum = "0123456789abcdef0"\n'
    rows = {("a", "1.0.0", "0123456789abcdef"): "", ("a", "0.9.0", "0123456789abcdef"): "Cargo.lock has 1.0.0:",
            ("c", "1.0.0", "0123456789abcdef"): "Cargo.lock has no version",
            ("a", "1.0.0", "0123456789abcde0"): "checksum 0123456789abcde0", ("a", "1.0.0", "0123"): "first 16 digits"}
    told = {row: "".join(stale('[[section.record]]\ncrate = "`{}`"\nversion = "{}"\nchecksum = "`{}`"\n'.format(*row), small)) for row in rows}
    rows["none"], told["none"] = "no record", "".join(stale("", small))
    odd = [f"{row}: {told[row]}" for row, says in rows.items() if says not in told[row] or bool(says) != bool(told[row])]
    check("a record of something else is found", odd)


def main():
    records()
    if len(sys.argv) < 2:
        return
    policy = read("deny.toml")
    for what, (has, instead, of, says) in PLANTED.items():
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(policy.replace(has, instead))
            file.flush()
            said = judged(["--offline"], [of], "--config", file.name)
        # What is changed has to be there.
        check(f"cargo-deny finds {what}", [] if has in policy and says in (said or "") else [f"changed: {has}", str(said)])
    everything = ["-D", "license-not-encountered", "-D", "license-exception-not-encountered", "licenses", "sources"]
    for name, about, checks in [
        ("licences and sources of all crates are as deny.toml says, and it says no more", ["--workspace", "--offline"], everything),
        ("no crate is in the library twice", ["--offline"], ["-D", "warnings", "bans"]),
        ("no advisory concerns a crate, and none is yanked", ["--workspace"], ["advisories"]),
    ]:
        said = judged(about, checks)
        if checks == ["advisories"] and (why := no_database(said)):
            skip(f"cargo-deny: {name}", why)
        else:
            check(f"cargo-deny: {name}", ["it does not end in time"] if said is None else [said] if said else [])


main()
