"""A server that demands a login, behind the bridge, and a bridge that demands one itself: with the authorization server and the MCP server
that others made (`tests/login/servers.mjs`). No token comes out of the bridge towards its clients, and none that a client sends goes on to
the server."""

import json
import re
import shutil
import subprocess

import pytest
import support

# What a client of the bridge sends to authorize itself. It is for the bridge, and no other program may see it.
OF_CLIENT = "Authorization: Bearer of-the-client-and-no-other"
# What a person is told who has to log in.
ADVICE = "mcp login"


class Scene:
    def __init__(self, program, login, folder, servers):
        self.program, self.login, self.folder = program, login, folder
        mcp, authorization, self.control_port = servers.first_line().split(" ")
        self.url, self.issuer = f"http://127.0.0.1:{mcp}/mcp", f"http://127.0.0.1:{authorization}"
        # That of the bridge, with its logins.
        self.home = self.new_home("home")

    def new_home(self, name):
        home = self.folder / name
        home.mkdir()
        return home

    def place(self, home):
        none = dict.fromkeys(["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"])
        return {"env": {"HOME": home, **none}, "cwd": self.folder}

    def mcp(self, home, *words):
        return support.run([self.program, *words], **self.place(home))

    def output(self, home, *words):
        return self.mcp(home, *words).well().stdout

    def refused(self, home, code, *words):
        """A command that must fail with an exit code, and says what to do."""
        self.mcp(home, *words).refused(code, ADVICE)

    def log_in(self, home, url, *more):
        """A person logs in: opens the URL that `mcp login` prints, agrees, and pastes where the browser came to."""
        words, place = [self.program, "login", url, "--no-browser", *more], self.place(home)
        child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=support.environment(place["env"]), cwd=place["cwd"],
        )
        said, pasted = [], False
        with child:
            for line in child.stderr:
                said.append(line)
                if line.strip().startswith(self.issuer) and not pasted:
                    seen = support.run([self.login["node"], self.login["browser"], "stop", line.strip()])
                    child.stdin.write(seen.stdout)
                    child.stdin.close()
                    pasted = True
        assert child.returncode == 0 and pasted, f"login ended with {child.returncode}: {''.join(said)}"

    def bridge(self, *options, port=None):
        """A bridge to the server, at a port; gives it with its URL."""
        port = port or support.free_port()
        words = [self.program, "bridge", "--listen", url_at(port), *options, self.url]
        return support.Served(words, self.folder / "bridge.log", port, **self.place(self.home)), url_at(port)

    def control(self, method, path, body=""):
        """Has the servers do something, or asks them."""
        answer = support.spoken(self.control_port, method, path, "", body)
        head, separator, content = answer.partition("\r\n\r\n")
        assert separator, f"no answer to {path}: {head}"
        return content

    def counted(self, what):
        """How often something happened at the servers."""
        found = re.search(rf'"{what}":(\d+)', self.control("GET", "/stats"))
        return int(found[1]) if found else 0

    def tokens(self):
        """The tokens that came to the MCP server. The client's is not among them."""
        tokens = re.findall('"Bearer ([^"]*)"', self.control("GET", "/authorizations"))
        assert tokens and OF_CLIENT.split()[-1] not in tokens, f"the server got the tokens {tokens}"
        return tokens


def url_at(port):
    return f"http://127.0.0.1:{port}/mcp"


@pytest.fixture
def scene(program, request):
    login = support.peer("login")
    folder = support.scratch("bridge-login") / support.file_name(request.node.name)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    with support.Served([login["node"], login["servers"]], folder / "servers.err") as servers:
        yield Scene(program, login, folder, servers)


def raw_call(address, tool):
    """What a client of 2026-07-28 gets, byte for byte, for a call of a tool."""
    port = re.search(r":(\d+)/", address)[1]
    headers = ("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
               f"{OF_CLIENT}\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n")
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientInfo": {"name": "raw", "version": "1"},
            f"{prefix}clientCapabilities": {}}
    parameters = {"name": tool, "arguments": {"text": "hi"}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters})
    return support.spoken(port, "POST", "/mcp", headers, body)


def test_a_persons_login_serves_every_client_of_the_bridge_and_stays_in_it(scene):
    home, stranger = scene.home, scene.new_home("stranger")
    scene.refused(home, 3, "bridge", scene.url)
    scene.log_in(home, scene.url)
    bridge, address = scene.bridge()

    def echo(era):
        return scene.mcp(stranger, "call", "--protocol", era, "-H", OF_CLIENT, address, "echo", "text=hi")

    with bridge:
        # The clients have no login, and need none.
        assert echo("legacy").well().stdout == echo("modern").well().stdout == "hi\n"
        assert scene.output(home, "call", f"{scene.program} bridge {scene.url}", "echo", "text=hi") == "hi\n"

        # A token that the server no longer takes is renewed, and the client notices nothing.
        renewed = scene.counted("granted_refresh_token")
        scene.control("POST", "/revoke-access")
        echo("modern").well()
        assert scene.counted("granted_refresh_token") > renewed, "the token was not renewed"

        # A tool needs more than the login has. The client learns what to do; no person is asked by the bridge.
        write = ["call", address, "write"]
        scene.refused(stranger, 1, *write)
        assert scene.counted("challenged_insufficient_scope") > 0, "the server did not demand another scope"
        echo("legacy").well()
        answers = raw_call(address, "echo") + raw_call(address, "write")
        assert '"hi"' in answers and "auth_required" in answers
        assert not [token for token in scene.tokens() if token in answers], f"the client got a token: {answers}"
        assert "www-authenticate" not in answers.lower(), "the client got the challenge of the server"
        scopes = ["mcp:basic", "mcp:write", "offline_access"]
        scene.log_in(home, scene.url, *(word for scope in scopes for word in ("--scope", scope)))
        support.until("the bridge uses the larger login", lambda: scene.mcp(stranger, *write).stdout == "written\n")

        # An administrator ends the login; a new one is used without a new bridge.
        scene.control("POST", "/revoke")
        scene.refused(stranger, 1, "call", address, "echo", "text=hi")
        scene.log_in(home, scene.url)
        support.until("the bridge uses the new login", lambda: echo("modern").stdout == "hi\n")
        scene.tokens()
        bridge.terminate()


def test_the_bridge_logs_in_with_credentials_of_its_own(scene):
    home, stranger = scene.home, scene.new_home("stranger")
    secret = scene.folder / "secret"
    secret.write_text("a+secret/with=signs\n")
    words = ["login", scene.url, "--client-id", "given beforehand", "--secret-file", secret, "-o", "json"]
    assert json.loads(scene.output(home, *words))["logged_in"] is True
    assert json.loads(scene.output(home, "auth", "status", scene.url, "-o", "json"))["accepted"] is True
    bridge, address = scene.bridge()
    with bridge:
        call = ["call", "-H", OF_CLIENT, address, "echo", "text=hi"]
        scene.output(stranger, *call)
        before = scene.counted("granted_client_credentials")
        scene.control("POST", "/revoke-access")
        scene.output(stranger, *call)
        assert scene.counted("granted_client_credentials") > before, "the bridge did not log in again"
        scene.tokens()
        bridge.terminate()
    assert json.loads(scene.output(home, "logout", scene.url, "-o", "json"))["logged_in"] is False
    scene.refused(home, 3, "auth", "status", scene.url)


def test_the_bridge_demands_a_login_of_its_clients_and_has_another_one_at_the_server(scene):
    home, client = scene.home, scene.new_home("client")
    scene.log_in(home, scene.url)
    file, port = scene.folder / "auth.json", support.free_port()
    file.write_text(json.dumps({"application": True, "authorization_servers": ["https://a.example"]}))
    words = ["bridge", "--listen", "http://127.0.0.1:0/mcp", "--auth", file, scene.url]
    scene.mcp(home, *words).refused(1, "application")
    introspection = {"url": f"{scene.issuer}/token/introspection", "client_id": "the-mcp-server", "client_secret": "of-the-mcp-server"}
    file.write_text(json.dumps({
        "resource": url_at(port), "authorization_servers": [scene.issuer], "scopes": ["mcp:basic"], "introspection": introspection}))
    scene.control("POST", "/set", json.dumps({"other": url_at(port)}))
    bridge, address = scene.bridge("--auth", file, port=port)
    with bridge:
        call = ["call", address, "echo", "text=hi"]
        scene.refused(client, 3, *call)
        scene.log_in(client, address)
        for era in ["legacy", "modern"]:
            assert scene.output(client, "--protocol", era, *call) == "hi\n"
        kept = "".join(file.read_text() for file in (client / ".local/share/libmcp/tokens").glob("*.json"))
        [own] = re.findall('"access": *"([^"]+)"', kept)
        tokens = scene.tokens()
        assert own not in tokens, "the client's token is among those that came to the server"
        # The bridge refuses a token for the server.
        other = ["call", "-H", f"Authorization: Bearer {tokens[0]}", address, "echo", "text=hi"]
        finished = scene.mcp(scene.new_home("stranger"), *other)
        assert finished.code == 3, f"the bridge takes the token of the server behind: {finished.story()}"
        bridge.terminate()
