"""`mcp generate`: the code for a corpus of real and odd lists of tools, in eight languages: the same in every run, as the digests in
`cli/tests/corpus/digests.txt` say; compiled strictly; random values through it and back (`differential.py`); real calls, also through a
broker. `MCP_GOLDEN_WRITE=1` writes the digests and the golden files of `cli/tests/generated`.
"""

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import support
from interop import plans

LANGUAGES = ["c", "cpp", "go", "typescript", "python", "swift", "java", "rust"]
LIMIT = 600
TESTS, CORPUS = support.ROOT / "tests/generate", support.ROOT / "cli/tests/corpus"
LISTS = sorted([*CORPUS.glob("*.json"), *CORPUS.glob("servers/*.json")])
WRITES = "MCP_GOLDEN_WRITE" in os.environ
HINT = "MCP_GOLDEN_WRITE=1 cargo xtask test --only generate writes it again"
# Files of this tool are in the repository, to be read when a template changes.
GOLDEN, GOLDEN_CLASS = "union_tagged", "UnionTagged"
# The modules in Swift and Rust that take part in the differential test: two recorded servers and the odd schemas; with --deep all do. The hostile
# names, whose types are all alike, are checked only.
SWIFT_MODULES, SWIFT_CHECKED = ["odd", "github", "everything"], "hostile"
# Each module has types of the same names; a word before its name keeps it apart from a module that it imports.
SWIFT = "swiftc -swift-version 6 -warnings-as-errors -module-cache-path modules"
# Java needs a right for libraries; where the compiler finds the classes of the binding, and every warning is an error.
NATIVE = "--enable-native-access=ALL-UNNAMED"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-I."]

# Two tools are allowed behind a broker, and a third is not; the text of `echo` is JSON in the module `chosen`, which has no `fail`.
ALLOWED = ["--allow", "add", "--allow", "echo"]
BROKERED = ["add 3.5", "echo Hello", "parsed 7", "the tool 'fail' is not allowed"]
CALLED = ["add 3.5", "echo Hello", "parsed 7", "fail ", "everything Echo: Hello"]
CHANGED = "have changed since this code was generated"
OVERRIDES = {"tools": {"fail": {"skip": True}, "echo": {"function": "parsed", "outputSchema": {
    "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}}


def folder():
    return support.scratch("generate")


def run(words, cwd=None, limit=LIMIT, **env):
    stage = support.places()["stage"]
    go = {"CGO_LDFLAGS": None, "GOFLAGS": support.go_flags()}
    more = {"PKG_CONFIG_PATH": stage["pkgconfig"], **go, **support.server_of_python(), **env}
    return support.run(words, limit, env=more, cwd=cwd or folder())


def mcp(*words):
    return run([support.places()["program"], *words])


def generate(language, source, into, *more):
    return mcp("generate", language, "--list", source, "--into", into, *more)


def emptied(name):
    path = folder() / name
    shutil.rmtree(path, ignore_errors=True)
    return path


def tool(name, get):
    return shutil.which(name) or support.lack(f"{name} is missing. To get it: apt-get install {get}")


def gcc():
    return tool("gcc", "gcc")


def clang():
    return tool("clang++", "clang")


def go():
    tool("pkg-config", "pkg-config")
    return tool("go", "golang-go")


def links():
    library = support.places()["stage"]["library"]
    return [f"-L{library}", "-lmcp", f"-Wl,-rpath,{library}", "-pthread"]


def include():
    return f"-I{support.ROOT / 'include'}"


def link_to(link, target):
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(target)


@pytest.fixture(scope="module", autouse=True)
def generated():
    """The code for all lists, in a folder for each language."""
    assert len(LISTS) >= 22
    for language in LANGUAGES:
        into = emptied(language)
        for source in LISTS:
            generate(language, source, into).well()


def tree(into):
    """The files below a folder with their texts, by their paths."""
    return {str(path.relative_to(into)): path.read_text() for path in sorted(into.rglob("*"), key=str) if path.is_file()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_is_the_same_again(language):
    for source in LISTS:
        generate(language, source, folder() / language, "--check").well()


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_stay_in_their_folder(language):
    """Every file is where a file of its kind belongs: OUT/FILE or OUT/MODULE/FILE, with a plain name."""
    paths = list(tree(folder() / language))
    odd = [path for path in paths if ".." in path or not re.fullmatch(r"(\.?[\w.]{1,99}/)?\.?[\w.]{1,99}", path, re.ASCII)]
    assert not odd and len(paths) > 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_golden_files_are_what_is_generated(language):
    made = {path: text for path, text in tree(folder() / language / "odd").items() if path.startswith((GOLDEN, GOLDEN_CLASS))}
    assert made, "there is nothing to compare"
    for path, text in made.items():
        golden = support.ROOT / "cli/tests/generated" / language / path
        if WRITES:
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text)
        assert golden.read_text() == text, f"{golden} is not what is generated now. {HINT}"


def test_the_digests_are_those_of_the_generated_code():
    """A line for each language and module: the digest of all its files with their names."""
    made = []
    for language in LANGUAGES:
        modules = {}
        for path, text in tree(folder() / language).items():
            module, slash, _ = path.partition("/")
            if slash:
                modules.setdefault(module, []).append(f"{path}\n{text}\n")
        made += [f"{language}/{module} {hashlib.sha256(''.join(all_of).encode()).hexdigest()}\n" for module, all_of in modules.items()]
    digests = CORPUS / "digests.txt"
    if WRITES:
        digests.write_text("".join(made))
    wanted = digests.read_text().splitlines(keepends=True)
    assert sorted(made) == sorted(wanted), f"other code is generated now for {sorted(set(made) ^ set(wanted))}. {HINT}"


def test_a_changed_server_is_told():
    """`--check` fails for another list, says which files differ, and writes nothing."""
    into, source = emptied("changed"), folder() / "notes.json"
    source.write_text(json.dumps({"tools": [{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}}]}))
    generate("python", source, into).well()
    source.write_text(json.dumps({"tools": [{"name": "a", "inputSchema": {"type": "object", "required": ["x"]}}]}))
    checked = generate("python", source, into, "--check")
    said = checked.stdout + checked.stderr
    assert checked.code not in (0, None) and "notes/a.py differs" in said and "b.py is not wanted any more" in said, checked.story()
    generate("python", source, into).well()
    assert not (into / "notes/b.py").exists(), "the file of a tool that is gone stays"
    generate("python", source, into, "--check").well()


def test_tool_takes_some_tools_and_no_other_name():
    into, source = emptied("chosen"), CORPUS / "servers/github.json"
    generate("go", source, into, "--tool", "create_issue", "--tool", "list_issues").well()
    assert len([path for path in tree(into) if path.endswith("_tool.go")]) == 2
    overrides = folder() / "chosen.json"
    overrides.write_text(json.dumps({"tools": {"no_such_tool": {"skip": True}}}))
    for more in [["--tool", "no_such_tool"], ["--overrides", overrides]]:
        finished = generate("go", source, into, *more)
        assert finished.code not in (0, None) and "no_such_tool" in finished.stdout + finished.stderr, finished.story()


def swift_names(deep):
    return [path.parent.name for path in sorted((folder() / "swift").glob("*/manifest.json"))] if deep else SWIFT_MODULES


@pytest.fixture(scope="module")
def prepared(deep):
    """The programs of the differential test."""
    binding = support.peer("python-binding")
    run([binding["interpreter"], TESTS / "prepare.py", CORPUS, folder(), *swift_names(deep)]).well()
    return binding


def swift_modules(source, into, names, checked=()):
    """Compiles folders of a folder as modules, two at a time. What is only checked has no code, and takes half the time."""
    swift = support.peer("swift")
    into.mkdir(parents=True, exist_ok=True)
    for old in into.glob("*.right"):
        old.unlink()
    jobs = "\n".join([f"check {name}" for name in checked] + [f"compile {name}" for name in names])
    compiler = f"{SWIFT} {swift['imports']} -module-name made_$1"
    code = "-wmo -parse-as-library -emit-module -emit-module-path made_$1.swiftmodule -c -o $1.o"
    # How each went is told by its file.
    finished = run([swift["enter"], f"""cd {shlex.quote(str(into))}
check() {{ {compiler} -typecheck "$2"/$1/*.swift; }}
compile() {{ {compiler} {code} "$2"/$1/*.swift; }}
one() {{ $1 $2 "$3" >$2.log 2>&1 && touch $2.right; }}
export -f check compile one
xargs -P 2 -n 2 bash -c 'one $1 $2 "$0"' {shlex.quote(str(source))} <<'JOBS' || true
{jobs}
JOBS"""], limit=1200)
    wrong = [name for name in [*checked, *names] if not (into / f"{name}.right").exists()]
    said = "\n".join((into / f"{name}.log").read_text() for name in wrong if (into / f"{name}.log").exists())
    assert not wrong, f"{wrong} do not compile without a warning: {said}\n{finished.story()}"


def swift_program(source, into, names, name):
    swift, objects = support.peer("swift"), " ".join(f"{module}.o" for module in names)
    run([swift["enter"], f"cd {shlex.quote(str(into))}; {SWIFT} {swift['imports']} -I . {shlex.quote(str(source))} {objects} "
         f"{swift['links']} -o {name}"], limit=1200).well()
    return into / name


@functools.cache
def harness(language, deep):
    """Compiles the program of the differential test strictly; gives how it is started."""
    here = folder() / language
    if language == "c":
        sources = ["harness.c", *sorted(path.relative_to(here) for path in here.glob("*/*.c"))]
        run([gcc(), "-std=c11", *WARNINGS, *sources, include(), "-Wl,--no-as-needed", *links(), "-o", folder() / "c-harness"], here).well()
        return "./c-harness"
    if language == "cpp":
        words = [clang(), "-std=c++17", *WARNINGS, "harness.cpp", include(), *links(), "-o", folder() / "cpp-harness"]
        run(words, here).well()
        return "./cpp-harness"
    if language == "go":
        go_module(here)
        run([go(), "vet", "./..."], here).well()
        run([go(), "build", "-o", "../go-harness", "./harness"], here).well()
        return "./go-harness"
    if language == "typescript":
        node = typescript_project(here)
        return f"{node} typescript/out/harness.js ./echo echo-tools"
    if language == "python":
        binding = support.peer("python-binding")
        (folder() / "mypy.ini").write_text("[mypy]\n[mypy-libmcp.*]\nfollow_imports = silent\n")
        # What is in folders above does not count.
        words = ["-m", "mypy", "--strict", "--explicit-package-bases", "--config-file", "../mypy.ini", "--cache-dir", "../mypy-cache", "."]
        run([binding["interpreter"], *words], here, MYPYPATH=binding["folder"]).well()
        return f"{binding['interpreter']} python-harness.py ./echo echo-tools"
    if language == "java":
        return shlex.join(map(str, java_program(here, [folder() / "java-harness/Harness.java"], folder() / "java-classes", "Harness")))
    if language == "rust":
        return str(rust_program(folder() / "rust-project/harness", "harness", folder() / "rust-harness/main.rs"))
    compiled, names = folder() / "swift-compiled", swift_names(deep)
    swift_modules(here, compiled, names, [] if SWIFT_CHECKED in names else [SWIFT_CHECKED])
    program = swift_program(folder() / "swift-harness.swift", compiled, names, "harness")
    return shlex.join([support.peer("swift")["enter"], f"exec {shlex.quote(str(program))}"])


def java_program(here, sources, into, name):
    """Compiles the classes of a folder and programs with every warning as an error; gives how a program is started."""
    java = support.peer("java-binding")
    programs = Path(java["home"]) / "bin"
    shutil.rmtree(into, ignore_errors=True)
    words = [programs / "javac", "-Xlint:all,-processing", "-Werror", "-encoding", "UTF-8", "-cp", java["classes"], "-d", into]
    listed = into.with_suffix(".files")
    listed.write_text("".join(f'"{path}"\n' for path in [*sources, *sorted(here.glob("*/*.java"))]))
    run([*words, f"@{listed}"], here).well()
    return [programs / "java", NATIVE, f"-Dio.libmcp.library={java['library']}", "-cp", f"{into}:{java['classes']}", name]


def rust_program(project, name, source):
    """Compiles a program beside the crate of this checkout, with the crates that it needs as they are pinned here and no others."""
    project.mkdir(parents=True, exist_ok=True)
    needs, target = support.on_the_crate()
    package = '[package]\nname = "generated"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
    binary = f'[[bin]]\nname = "{name}"\npath = "{source}"\n\n'
    (project / "Cargo.toml").write_text(f"{package}{binary}[dependencies]\n{needs}")
    shutil.copy(support.ROOT / "Cargo.lock", project)
    words = [tool("cargo", "cargo"), "build", "--offline", "--quiet"]
    run(words, project, limit=1200, **target).well()
    return Path(target["CARGO_TARGET_DIR"]) / "debug" / name


def go_module(here):
    """The module of the generated code, which takes the binding from this checkout, and what that needs as it is pinned there."""
    binding = support.ROOT / "bindings/go"
    first, _, requires = (binding / "go.mod").read_text().partition("\n")
    module = first.removeprefix("module ")
    (here / "go.mod").write_text(f"module generated\n{requires}\nrequire {module} v0.0.0\n\nreplace {module} => {binding}\n")
    shutil.copy(binding / "go.sum", here)


def typescript_project(here):
    """Compiles a project that has the binding among its packages; the compiler and Node.js look for what these need from where they are."""
    node, package = support.peer("node"), Path(support.peer("node-package"))
    link_to(here / "node_modules/libmcp", package)
    link_to(here / "node_modules/@types", package / "node_modules/@types")
    options = {"strict": True, "noUnusedLocals": True, "noImplicitReturns": True, "target": "es2022", "module": "nodenext",
               "lib": ["es2023", "esnext.disposable"], "types": ["node"], "outDir": "out"}
    config = {"compilerOptions": options, "include": ["*.ts", "*/*.ts"], "exclude": ["node_modules"]}
    (here / "tsconfig.json").write_text(json.dumps(config))
    run([node, package / "node_modules/typescript/bin/tsc", "-p", "."], here).well()
    return node


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_compiles_strictly(prepared, deep, language):
    harness(language, deep)


def test_random_values_of_each_type_are_the_same_again(prepared, deep):
    for name in ["validate", "echo"]:
        run([clang(), "-std=c++17", *WARNINGS, include(), TESTS / f"{name}.cpp", *links(), "-o", folder() / name]).well()
    commands = []
    for language in LANGUAGES:
        try:
            commands.append(f"{language}={harness(language, deep)}")
        except pytest.skip.Exception as missing:
            print(f"without {language}: {missing}")
    # Values as literals, by the compiler of TypeScript.
    types = []
    if any(command.startswith("typescript=") for command in commands):
        compiler = Path(support.peer("node-package")) / "node_modules/typescript/bin/tsc"
        types = ["--types", shlex.join([support.peer("node"), str(compiler)])]
    count, limit = ("1000", 3600) if deep else ("10", LIMIT)
    words = [prepared["interpreter"], TESTS / "differential.py", CORPUS, folder(), folder(), count, "./validate"]
    some = ",".join(swift_names(deep))
    words += ["--only", f"swift={some}", "--only", f"rust={some}", *types, *commands]
    print(run(words, limit=limit, PYTHONPATH=prepared["folder"]).well().stdout)


def servers():
    """The words that start the example server and the reference server."""
    return [support.places()["example_server"]], [str(word) for word in plans.reference_server("everything")]


@functools.cache
def wrappers(language):
    """The functions of both servers, as a module each, and of one server with overrides; only of what the programs call."""
    into, overrides = emptied(f"live/{language}"), folder() / "overrides.json"
    overrides.write_text(json.dumps(OVERRIDES))
    example, everything = servers()
    for module, server, tools, more in [
        ("example", example, ["add", "echo", "fail"], []),
        ("everything", everything, ["echo"], []),
        ("chosen", example, ["echo", "fail"], ["--overrides", overrides]),
    ]:
        chosen = [f"--tool={name}" for name in tools]
        mcp("generate", language, "--module", module, "--into", into, *chosen, *more, "--", *server).well()
    index = (into / "chosen/index.txt").read_text().lower()
    assert "fail" not in index and "parsed" in index, f"the overrides are not followed:\n{index}"
    return into


def build(language, changed=None):
    """Compiles the program that calls real servers; gives how it is started. In a sandbox a program is found by its whole path. After a
    change only that module of Swift is compiled again."""
    here, source = wrappers(language), TESTS / f"live/live.{ {'typescript': 'ts', 'python': 'py', 'rust': 'rs'}.get(language, language)}"
    if language == "c":
        sources = [source, *sorted(here.glob("*/*.c"))]
        run([gcc(), "-std=c11", *WARNINGS, include(), *sources, *links(), "-o", "live"], here).well()
        return [here / "live"]
    if language == "cpp":
        run([clang(), "-std=c++17", *WARNINGS, include(), source, *links(), "-o", "live"], here).well()
        return [here / "live"]
    if language == "go":
        go_module(here)
        (here / "live").mkdir(exist_ok=True)
        shutil.copy(source, here / "live/main.go")
        run([go(), "build", "-o", "live/live", "./live"], here).well()
        return [here / "live/live"]
    if language == "typescript":
        shutil.copy(source, here / "live.ts")
        return [typescript_project(here), here / "out/live.js"]
    if language == "java":
        return java_program(here, [shutil.copy(source, here / "Live.java")], here.parent / "java-classes", "Live")
    if language == "rust":
        (here / "live").mkdir(exist_ok=True)
        return [rust_program(folder() / "rust-project/live", "live", shutil.copy(source, here / "live/main.rs"))]
    if language == "python":
        binding = support.peer("python-binding")
        return ["/usr/bin/env", f"PYTHONPATH={here}:{binding['folder']}", binding["interpreter"], source]
    compiled, names = folder() / "live/swift-compiled", ["example", "everything", "chosen"]
    swift_modules(here, compiled, [changed] if changed else names)
    return [swift_program(source, compiled, names, "live")]


def say(language, start, *words, **env):
    """What a program prints."""
    if language == "swift":
        line = shlex.join([*(f"{name}={value}" for name, value in env.items()), *map(str, [*start, *words])])
        return run([support.peer("swift")["enter"], f"exec env {line}"]).well().stdout
    return run([*start, *words], wrappers(language), **env).well().stdout


def shows(said, expected):
    missing = [text for text in expected if text not in said]
    assert not missing, f"{missing} are not in:\n{said}"


def other_hash(module):
    """Turns a digit of every hash in the files of the tool `fail`."""
    tools = json.loads((module / "manifest.json").read_text())["tools"]
    [found] = [tool["schemas"] for tool in tools if tool["name"] == "fail"]
    known, changed = found[:16], 0
    other = known[:15] + ("1" if known.endswith("0") else "0")
    for path in module.iterdir():
        if path.is_file() and path.suffix not in (".json", ".txt") and known in (text := path.read_text()):
            path.write_text(text.replace(known, other))
            changed += 1
    assert changed, "no file has the hash"


def bridge(*words):
    """A bridge at a socket below the target folder, which a chroot sees too."""
    address = support.ROOT / "target/broker.sock"
    address.unlink(missing_ok=True)
    served = support.Served([support.places()["program"], "bridge", "--listen", f"unix:{address}", *words], folder() / "broker-bridge.err")
    return served, f"unix:{address}"


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "swift"])
def test_a_program_calls_through_mcp_run_with_its_sandbox(language):
    # Before the code is changed.
    tool("bwrap", "bubblewrap")
    python = os.path.realpath(sys.base_prefix)
    reads = [word for path in [support.ROOT / "target", support.ROOT, python] for word in ("--read", path)]
    words = [support.places()["program"], "run", *ALLOWED, *reads, *servers()[0], "--", *build(language)]
    shows(run(words, wrappers(language)).well().stdout, BROKERED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_calls_real_servers(language):
    """Directly and through brokers; then, with the code as if the server had other schemas now, the error of a failed call says so."""
    example, everything = servers()
    start = build(language)
    if language == "swift":
        # A chroot has no Node.js: the reference server is reached over HTTP.
        port = support.free_port()
        served = support.Served([*everything, "streamableHttp"], folder() / "live-everything.log", port, env={"PORT": port})
        words = [*example, f"http://127.0.0.1:{port}/mcp"]
    else:
        served, words = contextlib.nullcontext(), [*example, *everything]
    with served:
        said = say(language, start, *words)
        shows(said, CALLED)
        assert CHANGED not in said, f"the hash of the schemas is wrong:\n{said}"
        broker, address = bridge(*ALLOWED, *example)
        with broker:
            assert broker.first_line() == address
            shows(say(language, start, MCP_SOCKET=address), BROKERED)
        other_hash(wrappers(language) / "example")
        shows(say(language, build(language, "example"), *words), [CHANGED])


def test_tools_of_two_servers_are_called_behind_a_bridge():
    """Two servers as one: their tools have prefixes, which become modules again."""
    example, everything = servers()
    targets = [f"example={shlex.join(example)}", f"everything={shlex.join(everything)}"]
    into, binding = emptied("live/prefixes"), support.peer("python-binding")
    mcp("generate", "python", "--into", into, "--", support.places()["program"], "bridge", *targets).well()
    broker, address = bridge("--allow", "example/add", "--allow", "example/ec*", "--allow", "everything/echo", *targets)
    with broker:
        assert broker.first_line() == address
        modules = {"PYTHONPATH": f"{into}:{binding['folder']}", "MCP_SOCKET": address}
        said = run([binding["interpreter"], TESTS / "live/prefixes.py"], into, **modules).well().stdout
    shows(said, ["add 3.5", "echo Hello", "the tool 'example__fail' is not allowed", "everything Echo: Hello"])
