"""Archives whose bytes are the same each time: names sorted, one time, owner 0."""

import gzip
import io
import os
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def epoch():
    """The time that files get: SOURCE_DATE_EPOCH, or that of the commit; sources without git have none."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None:
        if not given.isdecimal():
            raise SystemExit(f"SOURCE_DATE_EPOCH={given} is not a number of seconds")
        return int(given)
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(asked.stdout) if asked.returncode == 0 else 0


def version():
    """That of the workspace."""
    lines = (ROOT / "Cargo.toml").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith('version = "'))


class Entry:
    """A file, a link or a folder in an archive: its content is bytes, the text that the link leads to, or nothing."""

    def __init__(self, name, content, mode=0o644, owner=0):
        self.name, self.content, self.mode, self.owner = name, content, mode, owner

    @property
    def is_link(self):
        return isinstance(self.content, str)


def below(folder, into=""):
    """The files and links below a folder, with their rights as far as programs differ from other files."""
    into = f"{into}/" if into else ""
    for path in sorted(Path(folder).rglob("*")):
        name = into + path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield Entry(name, os.readlink(path))
        elif path.is_file():
            yield Entry(name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)


def tar(entries):
    """The bytes of a tar file."""
    data, when = io.BytesIO(), epoch()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for entry in sorted(entries, key=lambda entry: entry.name):
            info = tarfile.TarInfo(entry.name)
            info.mtime, info.mode, info.uid, info.gid = when, entry.mode, entry.owner, entry.owner
            if entry.is_link:
                info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry.content, 0o777
                archive.addfile(info)
            elif entry.content is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(entry.content)
                archive.addfile(info, io.BytesIO(entry.content))
    return data.getvalue()


def zipped(data):
    """The same, compressed."""
    return gzip.compress(data, 9, mtime=0)


def tar_gz(to, entries):
    to.write_bytes(zipped(tar(entries)))
    return to


def zip_file(to, entries):
    """A zip file, in the order of the entries: some formats want one file first."""
    # The format begins with 1980, and has every second second.
    when = time.gmtime(max(epoch(), 315532800))[:6]
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, when)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, (0o100000 | entry.mode) << 16, 3
            archive.writestr(info, entry.content)
    return to
