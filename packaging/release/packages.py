#!/usr/bin/env python3
"""Packages that are made of files alone, without a compiler: of the checkout, of an install tree of `cargo xtask dist`, and of other packages.

    packages.py source FOLDER                   libmcp-VERSION.tar.gz: the sources, as they are committed
    packages.py swift FOLDER                    libmcp-swift-VERSION.tar.gz: the repository of the Swift package
    packages.py lua FOLDER --base URL           libmcp-lua-VERSION.tar.gz, its rockspec, and both as a rock
    packages.py nuget FOLDER --tree RID=TREE…   Libmcp.VERSION.nupkg: the sources, and the library for each RID, such as linux-x64
    packages.py wheel FOLDER --wheel FILE --tree TREE    the wheel of the Python binding, with the program in it as `libmcp`
    packages.py image FOLDER --tree TREE        libmcp-VERSION-linux-amd64.oci.tar: the program as a container image
    packages.py bills FOLDER --tree TREE        the bills of materials of the library and the program
    packages.py glibc FOLDER --tree TREE        no file: refuses a program that needs a newer glibc than a release may

Each prints the files that it wrote. Two runs give the same bytes.
"""

import argparse
import base64
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from fixed import ROOT, Entry, below, epoch, tar, tar_gz, version, zip_file, zipped

# The user of the image, and the folders that it can write in.
USER = 65532
FOLDERS = [Entry("home/mcp", None, 0o755, USER), Entry("tmp", None, 0o1777)]
# The oldest glibc on which the program of a release has to start: Debian 12 has 2.36, Ubuntu 22.04 2.35.
GLIBC = (2, 34)
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
BASE = "https://github.com/libmcp/libmcp/releases/download/v{version}"


def committed(folder, prefix):
    """The files of a folder of the checkout that are committed, and the licences."""
    names = subprocess.run(["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        place = f"{prefix}/{Path(name).relative_to(folder)}"
        if path.is_symlink() and not path.resolve().is_relative_to(ROOT / folder):
            # A link out of the folder would lead nowhere.
            yield Entry(place, path.resolve().read_bytes())
        elif path.is_symlink():
            yield Entry(place, str(path.readlink()))
        else:
            yield Entry(place, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)


def with_licences(entries, prefix):
    entries = {entry.name: entry for entry in entries}
    for name in LICENCES:
        entries.setdefault(f"{prefix}/{name}", Entry(f"{prefix}/{name}", (ROOT / name).read_bytes()))
    return list(entries.values())


def source(wish):
    name = f"libmcp-{version()}"
    return [tar_gz(wish.to / f"{name}.tar.gz", committed(".", name))]


def swift(wish):
    name = f"libmcp-swift-{version()}"
    return [tar_gz(wish.to / f"{name}.tar.gz", with_licences(committed("bindings/swift", name), name))]


def lua(wish):
    name, number = f"libmcp-lua-{version()}", f"{version()}-1"
    archive = tar_gz(wish.to / f"{name}.tar.gz", with_licences(committed("bindings/lua", name), name))
    text = (ROOT / "bindings/lua/libmcp-scm-1.rockspec").read_text()
    text = text.replace('version = "scm-1"', f'version = "{number}"')
    text, changed = re.subn(
        r"source = \{.*?\n\}", f'source = {{\n  url = "{wish.base}/{archive.name}",\n  dir = "{name}",\n}}', text, count=1, flags=re.S
    )
    if not changed or number not in text:
        raise SystemExit("bindings/lua/libmcp-scm-1.rockspec has no version or source where packages.py looks for them")
    spec = wish.to / f"libmcp-{number}.rockspec"
    spec.write_text(text)
    rock = [Entry(spec.name, text.encode()), Entry(archive.name, archive.read_bytes())]
    return [archive, spec, zip_file(wish.to / f"libmcp-{number}.src.rock", rock)]


def nuget(wish):
    """Programs compile the sources, so that one package is for every .NET. What is native lies where .NET looks for it."""
    number = version()
    sources = sorted((ROOT / "bindings/csharp/src").glob("*.cs"))
    files = [Entry(f"contentFiles/cs/any/Libmcp/{file.name}", file.read_bytes()) for file in sources]
    for rid, tree in wish.trees:
        library = tree / ("bin/mcp.dll" if rid.startswith("win") else "lib/libmcp.so")
        files.append(Entry(f"runtimes/{rid}/native/{library.name}", library.read_bytes()))
        files.append(Entry(f"runtimes/{rid}/THIRD-PARTY.md", (tree / "share/doc/libmcp/THIRD-PARTY.md").read_bytes()))
    files += [Entry(name, (ROOT / name).read_bytes()) for name in LICENCES]
    files.append(Entry("README.md", (ROOT / "bindings/csharp/README.md").read_bytes()))
    spec = (ROOT / "packaging/channels/nuget/Libmcp.nuspec.in").read_text().replace("@version@", number)
    kinds = sorted({Path(entry.name).suffix[1:] for entry in files if Path(entry.name).suffix} | {"nuspec", "rels"})
    types = "".join(f'<Default Extension="{kind}" ContentType="application/octet" />' for kind in kinds)
    plain = "".join(f'<Override PartName="/{name}" ContentType="application/octet" />' for name in LICENCES)
    heads = [
        Entry("_rels/.rels", (
            '<?xml version="1.0" encoding="utf-8"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/Libmcp.nuspec" Id="R1" /></Relationships>\n'
        ).encode()),
        Entry("Libmcp.nuspec", spec.encode()),
        Entry("[Content_Types].xml", (
            '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f"{types}{plain}</Types>\n"
        ).encode()),
    ]
    return [zip_file(wish.to / f"Libmcp.{number}.nupkg", heads + files)]


def wheel(wish):
    """pip and uv put what is in `scripts` beside Python. The name `mcp` is that of a program of the official SDK for Python."""
    (tree,) = wish.only_trees
    number = version()
    with zipfile.ZipFile(wish.wheel) as archive:
        files = {
            info.filename: Entry(info.filename, archive.read(info), 0o755 if info.external_attr >> 16 & 0o100 else 0o644)
            for info in archive.infolist() if not info.is_dir()
        }
    scripts, notices = f"libmcp-{number}.data/scripts/libmcp", f"libmcp-{number}.dist-info/licenses/THIRD-PARTY-PROGRAM.md"
    files[scripts] = Entry(scripts, (tree / "bin/mcp").read_bytes(), 0o755)
    files[notices] = Entry(notices, (tree / "share/doc/libmcp/THIRD-PARTY-PROGRAM.md").read_bytes())
    record = f"libmcp-{number}.dist-info/RECORD"
    if record not in files:
        raise SystemExit(f"{wish.wheel} has no {record}: it is not the wheel of libmcp {number}")
    del files[record]
    name, tag = retagged(wish.wheel.name, tree / "bin/mcp")
    if tag:
        about = f"libmcp-{number}.dist-info/WHEEL"
        files[about] = Entry(about, re.sub(r"(?m)(^Tag: .*\n)+", f"Tag: {tag}\n", files[about].content.decode()).encode())
    files = [files[name] for name in sorted(files)]
    rows = "".join(f"{entry.name},sha256={digest(entry.content)},{len(entry.content)}\n" for entry in files)
    return [zip_file(wish.to / name, [*files, Entry(record, f"{rows}{record},,\n".encode())])]


def retagged(name, program):
    """The name of a wheel, and the tags in it, for the systems on which the program starts: with an older glibc pip would install what does not.
    A program for musl, and a static one, needs none."""
    needs = newest_glibc(program)
    start, _, tags = name.removesuffix(".whl").rpartition("-")
    promised = [tuple(map(int, found)) for found in re.findall(r"manylinux_(\d+)_(\d+)_", tags)]
    if "musllinux" in tags and needs == (0, 0) or promised and needs <= max(promised):
        return name, None
    if not promised:
        raise SystemExit(f"{name} has no tag manylinux_2_… that says which glibc it needs, and its program needs {needs}: auditwheel gives it")
    processor = re.search(r"manylinux_\d+_\d+_(\w+)", tags)[1]
    tag = f"manylinux_{needs[0]}_{needs[1]}_{processor}"
    return f"{start}-{tag}.whl", f"cp310-abi3-{tag}"


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def newest_glibc(file):
    """The version of glibc that a file needs."""
    text = subprocess.run(["nm", "-D", file], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [tuple(map(int, version.split("."))) for version in re.findall(r"@GLIBC_([0-9.]+)", text)]
    return max(found)[:2] if found else (0, 0)


def glibc(wish):
    """The tag of a wheel grows with what its program needs: without a bound pip of an older system would silently find no wheel."""
    (tree,) = wish.only_trees
    needs = newest_glibc(tree / "bin/mcp")
    if needs > GLIBC:
        needs, bound = (".".join(map(str, numbers)) for numbers in (needs, GLIBC))
        raise SystemExit(f"{tree}/bin/mcp needs glibc {needs}, and has to start with {bound}: nm -D says which function is new")
    return []


def image(wish):
    """An image without a distribution: the program, the C library that it needs of Debian's packages, and certificates. The layout is that of
    the Open Container Initiative, in one file: `podman load`, `skopeo copy oci-archive:FILE …`."""
    (tree,) = wish.only_trees
    number = version()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        subprocess.run(["apt-get", "download", "-qq", "libc6", "libgcc-s1", "ca-certificates"], cwd=folder, check=True)
        packages = sorted(Path(folder).glob("*.deb"))
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        entries = [Entry(f"usr/share/doc/{path.parent.name}/copyright", path.read_bytes()) for path in root.glob("usr/share/doc/*/copyright")]
        # Debian 12 has them in /lib, newer ones in /usr/lib; programs name /lib64/ld-linux-x86-64.so.2.
        for name in ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libnss_dns.so.2", "libresolv.so.2", "ld-linux-x86-64.so.2"]:
            found = sorted(root.glob(f"**/x86_64-linux-gnu/{name}"))
            if not found:
                raise SystemExit(f"Debian's packages have no {name}")
            place = "lib64" if name.startswith("ld-") else "lib/x86_64-linux-gnu"
            entries.append(Entry(f"{place}/{name}", found[0].resolve().read_bytes(), 0o755))
        certificates = b"".join(path.read_bytes() for path in sorted(root.glob("usr/share/ca-certificates/mozilla/*.crt")))
        entries.append(Entry("etc/ssl/certs/ca-certificates.crt", certificates))
        of = " ".join("_".join(package.stem.split("_")[:2]) for package in packages)
    entries += [
        Entry("usr/bin/mcp", (tree / "bin/mcp").read_bytes(), 0o755),
        Entry("usr/bin/libmcp", "mcp"),
        Entry("etc/passwd", f"mcp:x:{USER}:{USER}::/home/mcp:/usr/bin/mcp\n".encode()),
        *FOLDERS,
        *(Entry(f"usr/share/doc/libmcp/{name}", (tree / "share/doc/libmcp" / name).read_bytes())
          for name in [*LICENCES, "THIRD-PARTY-PROGRAM.md", "sbom-program.cdx.json"]),
    ]
    layer = tar(entries)
    packed = zipped(layer)
    created = subprocess.run(["date", "-u", "-d", f"@{epoch()}", "+%Y-%m-%dT%H:%M:%SZ"], check=True, stdout=subprocess.PIPE, text=True)
    labels = {
        "org.opencontainers.image.title": "libmcp", "org.opencontainers.image.version": number,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0", "org.opencontainers.image.source": "https://github.com/libmcp/libmcp",
        "io.libmcp.debian": of,
    }
    config = {
        "architecture": "amd64", "os": "linux", "created": created.stdout.strip(),
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/mcp"], "WorkingDir": "/home/mcp", "Labels": labels,
            "Env": ["PATH=/usr/bin", "HOME=/home/mcp", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
    }
    blobs = []

    def blob(content, kind):
        name = hashlib.sha256(content).hexdigest()
        blobs.append(Entry(f"blobs/sha256/{name}", content))
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{name}", "size": len(content)}

    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config, sort_keys=True).encode(), "config.v1+json"), "layers": [blob(packed, "layer.v1.tar+gzip")],
    }
    first = {**blob(json.dumps(manifest, sort_keys=True).encode(), "manifest.v1+json"),
             "annotations": {"org.opencontainers.image.ref.name": number}, "platform": {"architecture": "amd64", "os": "linux"}}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [first]}
    blobs += [Entry("oci-layout", b'{"imageLayoutVersion": "1.0.0"}'), Entry("index.json", json.dumps(index, sort_keys=True).encode())]
    to = wish.to / f"libmcp-{number}-linux-amd64.oci.tar"
    to.write_bytes(tar(blobs))
    return [to]


def bills(wish):
    (tree,) = wish.only_trees
    names = {"sbom.cdx.json": "library", "sbom-program.cdx.json": "program"}
    files = [(wish.to / f"libmcp-{version()}-{what}.cdx.json", tree / "share/doc/libmcp" / name) for name, what in names.items()]
    for to, file in files:
        to.write_bytes(file.read_bytes())
    return [to for to, _ in files]


KINDS = {function.__name__: function for function in [source, swift, lua, nuget, wheel, image, bills, glibc]}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kind", choices=KINDS)
    options.add_argument("to", type=Path, metavar="FOLDER")
    options.add_argument("--tree", action="append", default=[], metavar="[RID=]TREE")
    options.add_argument("--wheel", type=Path, metavar="FILE")
    options.add_argument("--base", default=BASE.format(version=version()), metavar="URL", help="where the files of the release are")
    wish = options.parse_args()
    wish.trees = [(rid, Path(tree)) for rid, _, tree in (text.rpartition("=") for text in wish.tree)]
    wish.only_trees = [tree for _, tree in wish.trees]
    if wish.kind in ("wheel", "image", "bills", "glibc") and len(wish.trees) != 1:
        options.error(f"{wish.kind} needs one --tree")
    if wish.kind == "nuget" and not all(rid for rid, _ in wish.trees):
        options.error("nuget needs --tree RID=TREE, such as linux-x64=TREE")
    if wish.kind == "wheel" and not wish.wheel:
        options.error("wheel needs --wheel")
    wish.to.mkdir(parents=True, exist_ok=True)
    for file in KINDS[wish.kind](wish):
        print(file)


if __name__ == "__main__":
    sys.exit(main())
