"""`--store`: the program with a real `redis-server`, which lacks things, wants a password, is away, and comes back."""

import json

import pytest
import support

KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
PASSWORD = "open-sesame"
SERVER = "name: shop\ntools:\n  - name: hello\n    command: [echo, hi]\n"


class Redis(support.Served):
    """A store in a folder of its own, while a `with` block lasts."""

    def __init__(self, folder, *options, port=None):
        port = port or support.free_port()
        words = [support.peer("redis-server"), "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder, *options]
        super().__init__(words, folder / "redis.log", port=port)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "keys").write_text(f"{KEY}\n")
    (tmp_path / "shop.yaml").write_text(SERVER)
    return tmp_path


def mcp(program, folder, *words, **variables):
    return support.run([program, *words], env={"HOME": folder, "XDG_RUNTIME_DIR": folder, **variables}, cwd=folder)


def findings(finished):
    return [(one["grade"], one["what"], one.get("fix", "")) for one in json.loads(finished.stdout)["findings"]]


def advised(space):
    """The words of a user who has the rights that the guide lists, and no other."""
    text = (support.ROOT / "docs/guide/deployment.md").read_text()
    line = text[text.index("user mcp on >PASSWORD"):].split("```", 1)[0]
    return line.replace("PASSWORD", PASSWORD).replace("weather", space).split()[1:]


# What redis-server is started with, what is before the host, the exit code, and what a finding that is not good says, with the fix.
LACKS = [
    ("nothing", [], "", 0, ("advice", "after a restart it has nothing", "appendonly yes")),
    ("keeps what it has", ["--appendonly", "yes"], "", 0, None),
    ("wants a password", ["--requirepass", PASSWORD], "", 6, ("fault", "INFO was refused: NOAUTH", "the user and the password")),
    ("another password", ["--requirepass", PASSWORD], ":wrong@", 6, ("fault", "AUTH was refused: WRONGPASS", "the user and the password")),
    ("evicts", ["--maxmemory-policy", "allkeys-lru"], "", 6, ("fault", "allkeys-lru", "set maxmemory-policy noeviction")),
    ("is a replica", ["--replicaof", "127.0.0.1", "1"], "", 6, ("fault", "its role is 'slave'", "name the primary")),
    ("permits no scripts", ["--user", "default", "on", "nopass", "~*", "+@all", "-eval"], "", 6, ("fault", "NOPERM", "permit the user INFO, EVAL")),
    ("permits no claim", ["--user", "default", "on", "nopass", "~*", "&*", "+@all", "-hget"], "", 6, ("fault", "claiming", "permit the user INFO, EVAL")),
    ("permits no channels", ["--user", "default", "on", "nopass", "~*", "resetchannels", "+@all"], "", 6, ("fault", "publishing", "permit the user INFO, EVAL")),
    ("has the rights of the guide", ["--appendonly", "yes", "--user", *advised("doctor")], f"mcp:{PASSWORD}@", 0, None),
]


@pytest.mark.parametrize(("options", "before", "code", "says"), [pytest.param(*row[1:], id=row[0]) for row in LACKS])
def test_the_doctor_says_what_a_store_lacks(program, folder, options, before, code, says):
    with Redis(folder, *options) as redis:
        url = f"redis://{before}127.0.0.1:{redis.port}"
        finished = mcp(program, folder, "doctor", "-o", "json", "--store", "env:STORE", STORE=url)
    assert finished.code == code, finished.story()
    assert "wrong" not in finished.stdout + finished.stderr, finished.story()
    poor = [finding for finding in findings(finished) if finding[0] != "good"]
    if says is None:
        assert not poor, finished.story()
        return
    grade, what, fix = says
    assert any(found[0] == grade and what in found[1] and fix in found[2] for found in poor), finished.story()


def test_the_doctor_says_that_a_store_is_not_there_or_speaks_no_tls(program, folder):
    free = support.free_port()
    finished = mcp(program, folder, "doctor", "-o", "json", "--store", f"redis://127.0.0.1:{free}")
    assert finished.code == 6 and findings(finished)[0][2] == "start it, or correct the host and the port", finished.story()
    with Redis(folder) as redis:
        finished = mcp(program, folder, "doctor", "-o", "json", "--store", f"rediss://127.0.0.1:{redis.port}")
    assert finished.code == 6 and "redis:// instead of rediss://" in findings(finished)[0][2], finished.story()


@pytest.mark.parametrize("command", [["serve", "shop.yaml"], ["bridge", "--", "PROGRAM", "serve", "shop.yaml"]], ids=["serve", "bridge"])
def test_a_store_that_cannot_be_used_is_refused_at_the_start(program, folder, command):
    listen = ["--listen", "http://127.0.0.1:0/mcp", "--state-keys", "keys", "--store"]
    with Redis(folder, "--requirepass", PASSWORD) as redis:
        words = [command[0], *listen, f"redis://:wrong@127.0.0.1:{redis.port}", *command[1:]]
        finished = mcp(program, folder, *[program if word == "PROGRAM" else word for word in words])
    finished.refused(1, f"--store redis://127.0.0.1:{redis.port}/0: AUTH was refused: WRONGPASS")
    assert "wrong" not in finished.stderr.replace("WRONGPASS", ""), finished.story()


def test_a_server_serves_while_its_store_is_away_and_says_when_it_comes_back(program, folder):
    port = support.free_port()
    place = f"redis://127.0.0.1:{port}/0"
    words = [program, "serve", "shop.yaml", "--listen", "http://127.0.0.1:0/mcp", "--state-keys", "keys", "--store", f"redis://127.0.0.1:{port}"]
    variables = {"HOME": folder, "XDG_RUNTIME_DIR": folder}
    ready, lost = "the store can be used", f"the store cannot be used: the store at {place}: "
    with support.Served(words, folder / "serve.log", env=variables, cwd=folder) as served:

        def said(one, other):
            text = served.log.read_text(errors="replace")
            return text.rfind(one) > text.rfind(other)

        url = served.first_line()
        support.until("the store is told to be away", lambda: said(f"--store {place}: connecting to ", ready))
        assert "hi" in mcp(program, folder, "call", url, "hello").well().stdout
        for _ in range(2):
            with Redis(folder, port=port):
                support.until("it is there again", lambda: said(ready, lost))
            # It was killed.
            support.until("it is gone", lambda: said(lost, ready))
        assert "hi" in mcp(program, folder, "call", url, "hello").well().stdout
        served.terminate()
