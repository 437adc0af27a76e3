"""The headers compile everywhere: alone and in units that are linked together, by the rules of other systems, and `mcp.hpp` in every
standard and mode that users have. It says which standard it needs, refuses misuse, and is one header for files of different standards
and compilers.

The step `header` runs this with the standard library alone, and counts its lines: check.py LIBRARY-FOLDER WORK-FOLDER COMPILER…
"""

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from checks import WARNINGS, check, linked, run, wrong  # noqa: E402

LIBRARY, WORK = map(Path, sys.argv[1:3])
COMPILERS = {Path(it).name: it for it in sys.argv[3:]}
LINK = linked(LIBRARY)
# Systems whose compilers have rules of their own, as Clang knows them: those of MSVC, and those of Apple.
FOREIGN = ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc", "arm64-apple-macosx13"]
CPP = ["c++17", "c++20", "c++2b"]
MODES = [[], ["-fno-exceptions", "-fno-rtti"]]
# What the header says to a compiler for an older standard.
NEEDS = "mcp.hpp needs C++17 or later"
# What the statements of `tests/cpp/header/refused.txt` use.
MISUSE = "mcp::client &client, mcp::server &server, mcp::dispatcher &dispatcher, mcp::object &object"
USED = "static_cast<void>(client), static_cast<void>(server), static_cast<void>(dispatcher), static_cast<void>(object);"
ASAN = "-fsanitize=address"


def command(name, standard):
    """A compiler for one standard, with the warnings that we promise to be free of: more of them in C++, where users compile mcp.hpp."""
    more = ["-Wconversion", "-Wshadow"] if standard.startswith("c++") else []
    return [COMPILERS[name], f"-std={standard}", *WARNINGS, *more, "-I", ROOT / "include"]


def unit(name, text):
    """A file with this text."""
    path = WORK / name
    path.write_text(text)
    return path


def compiles(name, standard):
    """Alone, and in two units that are linked together and call the library, which proves the linkage that C++ sees."""
    end = "cpp" if standard.startswith("c++") else "c"
    header = "mcp.hpp" if end == "cpp" else "mcp.h"
    alone = unit(f"alone.{end}", f"#include <mcp.h>\n#include <{header}>\n#include <{header}>\nextern int nothing;\n")
    head = f"#include <{header}>\nint second_is_fine(void);\n"
    first = unit(f"first.{end}", f"{head}int main(void) {{ return mcp_version() != 0 && second_is_fine() ? 0 : 1; }}\n")
    second = unit(f"second.{end}", f"{head}int second_is_fine(void) {{ return mcp_abi_version() != 0; }}\n")
    words = command(name, standard)
    return wrong([*words, "-fsyntax-only", alone]) or wrong([*words, first, second, "-o", WORK / "linked", *LINK])


def compiles_for(target):
    """`mcp.h` by the rules of another system, whose own headers need not be there."""
    source = unit("foreign.txt", "#include <mcp.h>\nint matches(void);\nint matches(void) { return MCP_ABI_MATCHES(); }\n")
    found = []
    for standard in ["c99", "c11", "c++98", "c++17"]:
        language = ["-x", "c++", "-nostdinc++"] if standard.startswith("c++") else ["-x", "c"]
        words = [COMPILERS["clang"], *language, f"-std={standard}", f"--target={target}", "-ffreestanding", "-fsyntax-only", *WARNINGS]
        found += wrong([*words, "-I", ROOT / "include", source])
    return found


def refuses_an_older_standard(name):
    done = run([*command(name, "c++14"), "-fsyntax-only", unit("c++14.cpp", "#include <mcp.hpp>\n")])
    return [] if done.returncode != 0 and NEEDS in done.stderr else [f"it does not say '{NEEDS}'", done.stderr]


def misuse(name, statements):
    """What the compiler says of a function for each statement, each with a line number of its own: the header is read once."""
    code = "#include <mcp.hpp>\n"
    for number, statement in enumerate(statements, 1):
        head = f"void misuse_{number}({MISUSE})"
        code += f'{head};\n{head} {{\n{USED}\n#line {number} "refused"\n{statement}\n}}\n'
    # The misuse must be refused, not that its variable is used no further; and Clang ends after twenty errors.
    more = ["-ferror-limit=0"] if "clang" in name else []
    return run([*command(name, "c++17"), "-Wno-unused-variable", "-fsyntax-only", *more, unit("misuse.cpp", code)])


def refuses_misuse(name):
    """Each statement of the file is refused, with the word that stands before it; without any, it compiles."""
    lines = (ROOT / "tests/cpp/header/refused.txt").read_text().splitlines()
    rows = [line.split(" | ", 1) for line in lines if not line.startswith("#")]
    without = misuse(name, [""] * len(rows))
    if without.returncode != 0:
        return ["without the misuse it does not compile", without.stderr]
    said = misuse(name, [statement for _, statement in rows]).stderr
    found = []
    for number, (word, statement) in enumerate(rows, 1):
        if not any(it.startswith(f"refused:{number}:") and "error:" in it and word in it for it in said.splitlines()):
            found.append(f"'{statement}' must be refused with '{word}'")
    return [*found, said] if found else []


def is_one_header(names, sanitizer):
    """The files of `tests/cpp/header`, compiled by each of the compilers for each standard, make one program in every pair, and it runs. A
    file without exceptions does not link with one that has them."""
    users = [(name, standard, []) for name in names for standard in CPP]
    makers = [*users, (names[0], "c++17", ["-fno-exceptions"])]

    def object(part, kind):
        return WORK / f"{part}-{'-'.join([kind[0], kind[1], *kind[2]])}.o"

    def compile(job):
        part, (name, standard, flags) = job
        words = [*command(name, standard), *flags, *sanitizer, "-pthread", "-c", ROOT / f"tests/cpp/header/{part}.cpp"]
        return wrong([*words, "-o", object(*job)])

    def pair(kinds):
        made, used = object("made", kinds[0]), object("used", kinds[1])
        program = WORK / f"{made.stem}-{used.stem}"
        # Each compiler links its own; with the sanitizer's library of one, that one does.
        linker = COMPILERS[names[0] if sanitizer else kinds[1][0]]
        done = run([linker, *sanitizer, made, used, "-o", program, *LINK])
        if kinds[0][2]:
            is_refused = done.returncode != 0 and "undefined" in done.stderr
            return [] if is_refused else [f"{made.name} links with {used.name}"]
        return [f"{made.name} does not link with {used.name}", done.stderr] if done.returncode else wrong([program])

    with ThreadPoolExecutor(cpu_count()) as pool:
        found = sum(pool.map(compile, [("made", it) for it in makers] + [("used", it) for it in users]), [])
        return found or sum(pool.map(pair, itertools.product(makers, users)), [])


def main():
    for name, standard in [("gcc", "c11"), ("g++", "c++17"), ("clang", "c11"), ("clang++", "c++17")]:
        if name in COMPILERS:
            check(f"the headers compile alone and in two linked units: {name}, {standard}", compiles(name, standard))
    for target in FOREIGN if "clang" in COMPILERS else []:
        check(f"include/mcp.h compiles for {target}, in C and C++", compiles_for(target))
    names = [name for name in ("g++", "clang++") if name in COMPILERS]
    for name in names:
        header = unit("modes.cpp", "#include <mcp.hpp>\n")
        found = [wrong([*command(name, standard), *flags, "-fsyntax-only", header]) for standard in CPP[1:] for flags in MODES]
        check(f"include/mcp.hpp in later standards, without exceptions and RTTI: {name}", sum(found, []))
        check(f"include/mcp.hpp names the standard that it needs: {name}", refuses_an_older_standard(name))
        check(f"include/mcp.hpp makes misuse an error: {name}", refuses_misuse(name))
    if names:
        # What the first of the compilers can link. The objects of the others call the same functions of its library.
        empty = unit("asan.cpp", "int main() { return 0; }\n")
        sanitizer = [ASAN] if not wrong([COMPILERS[names[0]], ASAN, empty, "-o", WORK / "asan"]) else []
        with_it = " under AddressSanitizer" if sanitizer else ""
        check(f"files for C++17, 20 and 23 of every compiler exchange objects of include/mcp.hpp{with_it}", is_one_header(names, sanitizer))


main()
