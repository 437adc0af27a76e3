"""The program with servers that others made: the reference servers of npm, and the server *fetch* of Python's package index with a page of
this machine."""

import functools
import http.server
import threading

import pytest
import support
from interop import plans

NOTE = "read by the program"
ENTITIES = 'entities:=[{"name":"mcp","entityType":"program","observations":["is short"]}]'

# The server, what is shown, the words, what must be in the output, the exit code. {folder} has `note.txt`; {port} is that of the page.
CASES = [
    ("everything", "lists all", ["list"],
     ["echo(message: string)", "simple-prompt()", "demo://resource/dynamic/text/{resourceId}"], 0),
    ("everything", "calls with types", ["call", "get-sum", "a=2", "b=3"], ["The sum of 2 and 3 is 5."], 0),
    ("everything", "shows an image by its size", ["call", "get-tiny-image"], ["[image: image/png, ", "--save FOLDER"], 0),
    ("everything", "reads", ["read", "demo://resource/dynamic/text/1"], ["Resource 1"], 0),
    ("everything", "gets a prompt", ["get", "args-prompt", "city=Paris", "-o", "yaml"], ["role: user", "Paris"], 0),
    ("everything", "completes", ["complete", "completable-prompt", "department=Eng"], ["Engineering"], 0),
    ("everything", "calls a tool that is a task only", ["call", "simulate-research-query", "topic=bees"], ["bees"], 0),
    ("everything", "takes a snapshot", ["snapshot", "-o", "yaml"], ["snapshot: 1", "sha256: "], 0),
    ("everything", "traces", ["trace", "echo", "message=hi"], ["\u2192 initialize #", "\u2190 result #", "Echo: hi"], 0),
    ("everything", "pings", ["ping", "-c", "2"], ["2: "], 0),
    ("everything", "shows log messages", ["log", "--for", "0.2", "--level", "debug"], [], 0),
    ("filesystem", "lists tools", ["tools", "-o", "names"], ["read_text_file\n"], 0),
    ("filesystem", "reads a file", ["call", "read_text_file", "path={folder}/note.txt"], [NOTE], 0),
    ("filesystem", "is refused", ["call", "read_text_file", "path=/etc/hostname"], ["Access denied"], 5),
    ("filesystem", "is measured", ["bench", "read_text_file", "path={folder}/note.txt", "-n", "50", "-p", "4", "-o", "json"],
     ['"calls": 50'], 0),
    ("memory", "remembers JSON, and knows it again", ["call", "create_entities", ENTITIES], ["is short"], 0),
    ("fetch", "gets a page", ["call", "fetch", "url=http://127.0.0.1:{port}/index.html"], ["A page for the program"], 0),
    ("fetch", "reports what is not there", ["call", "fetch", "url=http://127.0.0.1:{port}/nothing.html"], ["404"], 5),
    ("fetch", "lists prompts", ["prompts"], ["fetch(url)"], 0),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "note.txt").write_text(f"{NOTE}\n")
    (tmp_path / "index.html").write_text("<html><body><p>A page for the program</p></body></html>\n")
    return tmp_path


@pytest.fixture
def port(folder):
    """That of a server of the folder."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def words_of(server, folder):
    if server == "fetch":
        # With Node in its path it installs npm packages before it reads the first page; without, it reads pages itself.
        return ["env", "PATH=/nonexistent", support.peer("fetch"), "-m", "mcp_server_fetch", "--ignore-robots-txt", "--allow-private-ips"]
    if server == "memory":
        return ["env", f"MEMORY_FILE_PATH={folder / 'memory.jsonl'}", *plans.reference_server("memory")]
    return [*plans.reference_server(server), *([folder] if server == "filesystem" else [])]


def mcp(program, folder, *words):
    return support.run([program, *words], env={"HOME": folder, "XDG_RUNTIME_DIR": folder}, cwd=folder)


@pytest.mark.parametrize(("server", "words", "shows", "code"), [
    pytest.param(server, words, shows, code, id=f"{server}: {name}") for server, name, words, shows, code in CASES])
def test_with_a_server_of_others(program, folder, port, server, words, shows, code):
    words = [word.replace("{folder}", str(folder)).replace("{port}", str(port)) for word in words]
    finished = mcp(program, folder, *words, "--", *words_of(server, folder))
    assert finished.code == code, finished.story()
    missing = [fact for fact in shows if fact not in finished.stdout]
    assert not missing, f"not shown: {missing}\n{finished.story()}"
    if server == "memory":
        assert "is short" in mcp(program, folder, "call", "read_graph", "-o", "json", "--", *words_of(server, folder)).well().stdout


def test_the_doctor_finds_no_fault_in_the_revisions_of_everything(program, folder):
    """It speaks the four revisions of the legacy era, and not the modern one."""
    finished = mcp(program, folder, "doctor", "-o", "json", "--", *plans.reference_server("everything"))
    assert finished.stdout.count('"era": "legacy"') == 4 and finished.code in (0, 6), finished.story()
