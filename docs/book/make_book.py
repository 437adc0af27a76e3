#!/usr/bin/env python3
"""The documentation as one book, with a search: the pages of `SUMMARY.md` as they are in the repository, and the reference of the C and C++
API. `cargo xtask book` runs this with the program `mdbook`, the folder for the book and that of the reference, as Doxygen has made it.

Pages keep their places to each other, headers become their reference, and what the book does not have is shown where it is published.
"""

import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PUBLISHED = "https://github.com/libmcp/libmcp"
# The tables that are data (TOML), of which a reader gets a page: what the protocol asks of each side, what is promised, and what was reported.
REQUIREMENTS = ["docs/requirements/client.toml", "docs/requirements/server.toml"]
FIELD = [f"tests/field/{it.name}" for it in sorted((ROOT / "tests/field").glob("*.toml"))]
TABLES = [*REQUIREMENTS, "docs/requirements/choices.toml", "docs/reliability.toml", "docs/security.toml", "docs/reference/lifecycle.toml", "docs/audits.toml", *FIELD]
# Every key of the configurations, and the pages whose lists of keys become tables.
KEYS = "docs/reference/configuration.json"
KEY_PAGES = ["docs/reference/configuration.md", "docs/reference/server-configuration.md"]
# The folder of the reference, and what of the repository has another place there.
REFERENCE = "c"
REFERENCES = {"docs/reference/functions.md": "index.html", "include/mcp.h": "mcp_8h.html", "include/mcp.hpp": "mcp_8hpp.html"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def page(path):
    """The text of a page: as it is, with tables of keys, or made of its table."""
    if path in KEY_PAGES:
        return with_keys(read(path), json.loads(read(KEYS)))
    return in_markdown(read(path)) if path in TABLES else read(path)


LISTED = re.compile(r"<!-- keys: (\w+) -->\nKeys: ((?:.+\n)+)")


def listed(text, objects):
    """For each list of keys of a page its object and its keys: those that it names, and for `x.*` all below `x` that no list names."""
    lists = [(it[1], re.findall("`([^`]*)`", it[2])) for it in LISTED.finditer(text)]
    named = {(object, name) for object, names in lists for name in names}
    for object, names in lists:
        keys = {it["key"]: it for it in objects[object]}
        found = []
        for name in names:
            below = [it for it in keys if it.startswith(name[:-1]) and (object, it) not in named] if name.endswith(".*") else [name]
            found += [keys.get(it) or {"key": it} for it in below]
        yield object, found


def with_keys(text, objects):
    """A page with a table in place of each list of keys."""
    lists = listed(text, objects)
    return LISTED.sub(lambda _: "| key | type | default | meaning |\n|---|---|---|---|\n" + "".join(map(key_row, next(lists)[1])), text)


def key_row(key):
    kind = key.get("text") or ", ".join(f'`"{it}"`' for it in key.get("enum", [])) or key.get("type", "")
    if "minimum" in key and "text" not in key:
        kind = "time" if (key.get("unit"), key["minimum"]) == ("ms", 1) else f"{key['minimum']} to {key['maximum']}"
    default = key.get("default")
    shown = str(default) if type(default) in (int, float) else f"`{json.dumps(default, separators=(',', ':'))}`"
    shown = key.get("default_text") or ("absent" if default is None else shown)
    return f"| `{key['key']}` | {kind} | {shown} | {key.get('description', '')} |\n"


def in_markdown(table):
    """A heading for a section, a line for a row. What these files use of TOML are keys with one text, and lists of texts."""
    lines = []
    for block in table.split("\n[["):
        found = re.findall(r'^(\w+) = (?:"((?:[^"\\]|\\.)*)"|\[([^\]]*)\])$', block, re.M)
        fields = {}
        for key, text, all in found:
            fields[key] = ", ".join(f"`{it}`" for it in re.findall('"([^"]*)"', all)) or re.sub(r"\\(.)", r"\1", text)
        if block.startswith("report]]"):
            like = "like " * ("\nkin = true\n" in f"{block}\n")
            lines += ["| report | what was seen | how it ends here |", "|---|---|---|"] if not lines[-1] else []
            lines.append(f"| {like}{fields['source']} | {fields['says']} | {fields['then']} |")
            continue
        if not block.startswith("section."):
            lines += [f"\n{'##' if lines else '#'} " + "\n\n".join(fields.values()), ""]
            continue
        cells = {key: text for key, text in fields.items() if key not in ("tests", "note")}
        last = ". ".join(fields[key] for key in fields if key in ("tests", "note"))
        # A choice of the specification, and what was read of a crate, have no tests.
        shown = [] if block.startswith(("section.choice", "section.record", "section.limit", "section.use", "section.event", "section.violation")) else ["shown by"]
        if not lines[-1]:
            lines += [f"| {' | '.join([*cells, *shown])} |", "|" + "---|" * (len(cells) + len(shown))]
        lines.append(f"| {' | '.join([*cells.values(), *[last][: len(shown)]])} |")
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def resolve(folder, path):
    """A path from a folder, both with slashes; the root is the empty path."""
    return posixpath.normpath(posixpath.join("/", folder, path)).strip("/")


def changed(text, to):
    """The text with other targets of links, outside of code: what `to` gives, or the same where that is None."""
    parts = re.split(r"(^[ \t]*```.*?^[ \t]*```[^\n]*$|`[^`\n]*`(?!\]\())", text, flags=re.M | re.S)
    return "".join(part if at % 2 else re.sub(r"(?<=\]\()[^) \n]+", lambda it: to(it[0]) or it[0], part) for at, part in enumerate(parts))


def in_book(path):
    """The first page of a folder has the name that browsers and servers look for; a table is a page."""
    return path.replace("README.md", "index.md").replace(".toml", ".toml.md")


def pages():
    """The pages of the book, in its order, by their paths in the repository."""
    found = []
    changed(read("docs/book/SUMMARY.md"), lambda link: found.append(resolve("docs/book", link)))
    return found


def target(all, folder, link):
    """Where a link of a page in a folder leads in the book, if that is another place than in the repository."""
    if ":" in link or link.startswith("#"):
        return None
    path, _, anchor = link.partition("#")
    place = resolve(folder, path)
    if place in all:
        return in_book(link)
    if path.endswith(".svg"):
        return None
    if place in REFERENCES:
        return "../" * len(Path(folder).parts) + f"{REFERENCE}/{REFERENCES[place]}"
    kind = "tree" if (ROOT / place).is_dir() else "blob"
    return f"{PUBLISHED}/{kind}/main/{place}{'#' * bool(anchor)}{anchor}"


def dead_links(folder):
    """The links between the finished pages that lead nowhere. What the reference links to in itself Doxygen has checked."""
    texts = {str(it.relative_to(folder)): it.read_text() if it.suffix == ".html" else "" for it in folder.rglob("*") if it.is_file()}
    places = {page: set(re.findall('id="([^"]*)"', text)) for page, text in texts.items()}
    dead = []
    for page, text in texts.items():
        # The page for what is not found has links from the root of wherever it is published.
        if page.startswith(f"{REFERENCE}/") or page in ("404.html", "toc.html"):
            continue
        for link in map(html.unescape, re.findall('(?:href|src)="([^":]+)"', text)):
            path, _, anchor = link.partition("#")
            place = resolve(posixpath.dirname(page), path) if path else page
            if place not in places:
                dead.append(f"{page} links to {link}, which is not there")
            elif anchor and anchor not in places[place]:
                dead.append(f"{page} links to {link}, but {place} has no #{anchor}")
    return dead


def make(mdbook, output, reference, more=""):
    """Makes the book in an empty folder, with more text on its first page; gives what is wrong with it."""
    shutil.rmtree(output, ignore_errors=True)
    all = pages()
    texts = {"SUMMARY.md": changed(read("docs/book/SUMMARY.md"), lambda link: in_book(resolve("docs/book", link)))}
    for at, path in enumerate(all):
        texts[in_book(path)] = changed(page(path) + more * (at == 0), lambda link: target(all, posixpath.dirname(path), link))
    for path, text in texts.items():
        (output / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        (output / "src" / path).write_text(text)
    for picture in ROOT.glob("docs/reference/*.svg"):
        shutil.copy(picture, output / "src" / picture.parent.relative_to(ROOT))
    for file in ["book.toml", "book.css", "tables.js"]:
        shutil.copy(ROOT / "docs/book" / file, output)
    made = subprocess.run([mdbook, "build", output], capture_output=True, text=True)
    said = made.stdout + made.stderr
    if made.returncode != 0 or "WARN" in said or "ERROR" in said:
        return [f"mdBook is not content: {said}"]
    if reference:
        shutil.copytree(reference, output / "html" / REFERENCE)
    return dead_links(output / "html")


if __name__ == "__main__":
    sys.exit("\n".join(make(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))) or None)
