#!/usr/bin/env python3
"""What is made last, of the files of a release in FOLDER: `install.sh`, the checksums and their signature beside them, and below FOLDER-channels
what package managers read: a Debian repository, and the templates of `packaging/channels` with the version and the checksums filled in. The one
table of these is `release.json`. Nothing is published, and no key is made: `--minisign` and `--gpg` name keys of the person who releases.

In a template `@version@` is the version, `@base@` where the files are, `@sha256 END@`, `@sha512 END@` and `@file END@` are of the file `libmcp-VERSION-END` (or
`libmcp-VERSIONEND` where END begins with a dot), `@sums@` the lines of the tarballs, `@key@` the public key or nothing. A template that names a file
which this release does not have is left out, and said.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fixed import ROOT, epoch, version
from packages import BASE

TEMPLATES = ROOT / "packaging/channels"
# What a person types, in the words of docs/guide/packaging.md.
TARBALL = re.compile(r"libmcp-[0-9.]+-[a-z0-9_]+-(unknown|pc|apple)-.*\.tar\.gz")
LAST = ["SHA256SUMS", "SHA256SUMS.minisig", "install.sh", "release.json"]


class Lacking(Exception):
    """A template names a file that is not there."""


def digest(file, kind="sha256"):
    return hashlib.new(kind, file.read_bytes()).hexdigest()


def table(folder, base):
    """Every file with its checksum."""
    files = {file.name: {"sha256": digest(file), "sha512": digest(file, "sha512"), "bytes": file.stat().st_size} for file in sorted(folder.iterdir()) if file.name not in LAST}
    return {"version": version(), "base": base, "files": files}


def fill(text, known, key):
    """A template with the words of the table."""
    number, files = known["version"], known["files"]

    def name(end):
        name = f"libmcp-{number}{end}" if end.startswith(".") else f"libmcp-{number}-{end}"
        if name not in files:
            raise Lacking(name)
        return name

    def value(found):
        what, _, end = found[1].partition(" ")
        if what in ("sha256", "sha512"):
            return files[name(end)][what]
        if what == "file":
            return name(end)
        if what == "sums":
            lines = [f"{row['sha256']}  {name}" for name, row in files.items() if TARBALL.fullmatch(name)]
            return "\n".join(lines)
        return {"version": number, "base": known["base"], "key": key}[what]

    return re.sub(r"@(version|base|key|sums|(?:sha256|sha512|file) [^@\n]+)@", value, text)


def channels(folder, to, known, key):
    for template in sorted(TEMPLATES.rglob("*.in")):
        place = template.relative_to(TEMPLATES).with_suffix("")
        # Those of one package are for the tool that makes it.
        if place.parts[0] in ("nuget", "rpm"):
            continue
        try:
            text = fill(template.read_text(), known, key)
        except Lacking as lacking:
            print(f"not written: {place}, as this release has no {lacking}")
            continue
        file = folder / place if place.name == "install.sh" else to / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755 if text.startswith("#!") else 0o644)
        print(file)


def apt(folder, to, gpg):
    """The repository: the packages, the lists of them by apt-ftparchive, and with a key `InRelease`, by which apt trusts them."""
    packages = sorted(folder.glob("*.deb"))
    if not packages:
        print("not written: apt, as this release has no package of Debian")
        return
    pool = to / "pool"
    pool.mkdir(parents=True)
    for package in packages:
        shutil.copy(package, pool)
        os.utime(pool / package.name, (epoch(), epoch()))
    architectures = sorted({package.stem.rsplit("_", 1)[1] for package in packages})
    for architecture in architectures:
        lists = to / f"dists/stable/main/binary-{architecture}"
        lists.mkdir(parents=True)
        made = run(["apt-ftparchive", "--arch", architecture, "packages", "pool"], to)
        (lists / "Packages").write_text(made)
        run(["gzip", "-9nk", "Packages"], lists)
    date = run(["date", "-u", "-R", "-d", f"@{epoch()}"]).strip().replace("+0000", "UTC")
    words = {"Origin": "libmcp", "Label": "libmcp", "Suite": "stable", "Codename": "stable", "Components": "main",
             "Architectures": " ".join(architectures), "Description": f"libmcp {version()}"}
    options = [word for name, value in words.items() for word in ("-o", f"APT::FTPArchive::Release::{name}={value}")]
    # apt-ftparchive says when it ran, in two lines of each file.
    release = re.sub(r"^Date: .*$", f"Date: {date}", run(["apt-ftparchive", *options, "release", "dists/stable"], to), flags=re.M)
    (to / "dists/stable/Release").write_text(release)
    if gpg:
        at = ["--batch", "--yes", "--local-user", gpg]
        run(["gpg", *at, "--clearsign", "--output", "InRelease", "Release"], to / "dists/stable")
        run(["gpg", *at, "--armor", "--detach-sign", "--output", "Release.gpg", "Release"], to / "dists/stable")
        key = run(["gpg", "--batch", "--armor", "--export", gpg])
        (to / "libmcp.asc").write_text(key)
    else:
        print("not signed: the Debian repository; --gpg names a key")
    print(to)


def run(words, folder=None):
    """What a tool prints; its questions, such as for a password, are the person's."""
    done = subprocess.run([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}")
    return done.stdout


def public(key):
    """The public key of a secret one, in the one line that minisign takes as an argument."""
    if not key:
        return ""
    file = key.with_suffix(".pub")
    if not file.is_file():
        sys.exit(f"--minisign {key}: the public key {file} has to lie beside it; minisign -R -s {key} -p {file} writes it")
    return file.read_text().splitlines()[1]


def sign(key, folder, name):
    run(["minisign", "-S", "-s", key.resolve(), "-t", f"libmcp {version()}", "-m", name], folder)


def attempt(wish):
    """Both keys, at an empty file."""
    key = public(wish.minisign)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty").touch()
        if wish.minisign:
            sign(wish.minisign, folder, "empty")
            checked = subprocess.run(["minisign", "-Vqm", "empty", "-P", key], cwd=folder, capture_output=True, text=True, check=False)
            if checked.returncode:
                sys.exit(f"--minisign {wish.minisign}: the public key beside it is not that of this secret key: {checked.stderr.strip()}")
        if wish.gpg:
            run(["gpg", "--batch", "--yes", "--local-user", wish.gpg, "--detach-sign", "--output", "signature", "empty"], folder)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, metavar="FOLDER", nargs="?")
    options.add_argument("--try", action="store_true", dest="is_trial", help="sign an empty file with the keys, and write nothing: a release takes hours")
    options.add_argument("--base", default=BASE.format(version=version()), metavar="URL", help="where the files of the release are")
    options.add_argument("--minisign", type=Path, metavar="FILE", help="the secret key; the public one lies beside it, with .pub in the place of its ending")
    options.add_argument("--gpg", metavar="KEY", help="the key that gpg signs the Debian repository with")
    wish = options.parse_args()
    if wish.is_trial:
        return attempt(wish)
    if not wish.folder:
        options.error("FOLDER is missing")
    folder, to = wish.folder, wish.folder.with_name(f"{wish.folder.resolve().name}-channels")
    if to.exists():
        shutil.rmtree(to)
    for name in LAST:
        (folder / name).unlink(missing_ok=True)
    key = public(wish.minisign)
    known = table(folder, wish.base)
    channels(folder, to, known, key)
    (folder / "release.json").write_text(json.dumps(known, indent=1) + "\n")
    apt(folder, to / "apt", wish.gpg)
    sums = "".join(f"{digest(file)}  {file.name}\n" for file in sorted(folder.iterdir()) if not file.name.startswith("SHA256SUMS"))
    (folder / "SHA256SUMS").write_text(sums)
    if wish.minisign:
        # Without the comment the signature would have the time of day.
        sign(wish.minisign, folder, "SHA256SUMS")
    else:
        print("not signed: SHA256SUMS; --minisign names a key")


if __name__ == "__main__":
    main()
