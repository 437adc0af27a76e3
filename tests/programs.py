"""Which programs of `tests/c` run on another system, and why the others do not: `tests/windows/programs.txt`, `tests/targets/programs.txt`."""

import support

SOURCES = {source.stem: source for source in sorted((support.ROOT / "tests/c").glob("*.c"))}


def rows(table):
    """The lines as what is done (`run`, `deep`, `not`), of what (where, and the name), and the reason."""
    for line in (support.ROOT / table).read_text().splitlines():
        if line and not line.startswith("#"):
            what, _, reason = line.partition(": ")
            words = what.split()
            assert words[0] in ("run", "deep", "not") and bool(reason) == (words[0] == "not"), f"{table}: {line}"
            yield words[0], words[1:], reason


def calls_over_http(source):
    """Whether a program gets the HTTP server, too."""
    return '#include "http.h"' in source.read_text()
