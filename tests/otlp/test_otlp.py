"""The OTLP of the program `mcp`, as the receiver of OpenTelemetry's own collector takes it."""

import json
import shutil
import threading

import pytest
import support

HERE = support.ROOT / "tests/otlp"
HISTOGRAMS = {f"mcp.{side}.{what}.duration" for side in ("client", "server") for what in ("operation", "session")}
KNOWN = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "greet"}
TOOLS = "name: tools\ntools:\n  - {name: greet, command: [echo, hello]}\n"


def go(*words, env=None):
    program = shutil.which("go") or support.lack("Go is missing. To get it: apt-get install golang-go (Debian 13), or Go's own site")
    return support.run([program, "-C", HERE, *words], 600, env=env)


@pytest.fixture(scope="module")
def collector():
    """The program of the collector."""
    support.fetched(lambda: go("mod", "download")).well()
    go("vet", ".").well()
    program = support.scratch("otlp") / "collector"
    go("build", "-o", program, ".", env={"CGO_ENABLED": "0"}).well()
    return program


class Heard:
    """What a collector prints, while it runs."""

    def __init__(self, program, log):
        self.lines, self.served = [], support.Served([program, log.parent], log)

    def __enter__(self):
        self.served.__enter__()
        self.url = self.served.first_line()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        return self

    def read(self):
        for line in self.served.child.stdout:
            self.lines.append(json.loads(line))

    def __exit__(self, *_):
        self.served.child.kill()
        self.reader.join(support.START)
        self.served.__exit__()

    def of(self, path):
        return [line["body"] for line in list(self.lines) if line["path"] == path and "body" in line]

    def spans(self):
        return [span for body in self.of("/v1/traces") for of in body["resourceSpans"] for it in of["scopeSpans"] for span in it["spans"]]

    def metrics(self):
        return [one for body in self.of("/v1/metrics") for of in body["resourceMetrics"] for it in of["scopeMetrics"] for one in it["metrics"]]


def test_the_collector_tells_what_it_does_not_know(collector, tmp_path):
    """Else it could not fail."""
    span = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "name": "ping", "colour": "red"}
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    kind = "Content-Type: application/json\r\n"
    with Heard(collector, tmp_path / "collector.log") as heard:
        port = heard.url.rpartition(":")[2]
        for status, sent in ((200, body), (400, body.replace('"b7ad6b7169203331"', '"short"'))):
            assert f" {status} " in support.spoken(port, "POST", "/v1/traces", kind, sent)
        support.until("both are told", lambda: len(heard.lines) == 2)
    assert heard.lines[0]["unknown"] == ["/resourceSpans/0/scopeSpans/0/spans/0/colour: red became <nil>"]
    assert heard.lines[1]["error"].startswith("400 ") and "body" not in heard.lines[1]


def test_the_collector_knows_all_that_the_program_sends(program, collector, tmp_path):
    (tmp_path / "tools.yaml").write_text(TOOLS)
    with Heard(collector, tmp_path / "collector.log") as heard:
        sends = {"OTEL_EXPORTER_OTLP_ENDPOINT": heard.url, "OTEL_RESOURCE_ATTRIBUTES": "service.namespace=test"}
        port = support.free_port()
        url = f"http://127.0.0.1:{port}/mcp"
        words = [program, "serve", tmp_path / "tools.yaml", "--listen", url, "--drain", "60"]
        with support.Served(words, tmp_path / "serve.log", port, env=sends | {"OTEL_SERVICE_NAME": "tools"}) as served:
            for protocol in ("2025-11-25", "2026-07-28"):
                call = [program, "call", url, "greet", "--protocol", protocol]
                assert support.run(call, env=sends).well().stdout.strip() == "hello"
            assert support.run([program, "call", url, "no-such-tool", "--no-validate"], env=sends).code != 0
            served.terminate()
        support.until("all of it is there", lambda: {one["name"] for one in heard.metrics()} >= HISTOGRAMS)
    assert [line for line in heard.lines if "error" in line or "unknown" in line] == []
    calls = [span for span in heard.spans() if span["name"] == "tools/call greet"]
    for span in calls:
        assert {it["key"]: it["value"].get("stringValue") for it in span["attributes"]}.items() >= KNOWN.items()
    for side, kind in (("server", 2), ("client", 3)):
        assert [span["kind"] for span in calls].count(kind) == 2, f"{side}: {calls}"
    for client in [span for span in calls if span["kind"] == 3]:
        assert [span["parentSpanId"] for span in calls if span["traceId"] == client["traceId"] and span["kind"] == 2] == [client["spanId"]]
