"""A server on stdio that writes every line that it gets to a file: python server.py LOG.

It has the tools `read`, `write` and `ask`; `ask` puts questions to the client although the client declared no capability for them, and its
result has the answers.
"""

import json
import os
import sys

log = open(sys.argv[1], "a", encoding="utf-8")


def received():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    log.write(line)
    log.flush()
    return json.loads(line)


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def asked(number, method, params):
    """The answer of the client to a question; other requests meanwhile are left."""
    send({"id": f"q{number}", "method": method, "params": params})
    while True:
        message = received()
        if message.get("id") == f"q{number}" and "method" not in message:
            return {"method": method, "error": message.get("error"), "result": message.get("result")}


def called(params):
    text = json.dumps(params.get("arguments", {}))
    if params["name"] == "ask":
        form = {"type": "object", "properties": {"yes": {"type": "boolean"}}}
        messages = [{"role": "user", "content": {"type": "text", "text": "x"}}]
        questions = [
            ("roots/list", {}),
            ("elicitation/create", {"message": "Delete everything?", "requestedSchema": form}),
            ("sampling/createMessage", {"messages": messages, "maxTokens": 1}),
        ]
        text = json.dumps([asked(number, *question) for number, question in enumerate(questions)])
    if params["name"] == "variable":
        text = os.environ.get("BROKER_SECRET", "")
    return {"content": [{"type": "text", "text": f"{params['name']} {text}"}]}


def tool(name):
    return {"name": name, "description": f"The tool {name}", "inputSchema": {"type": "object"}}


while True:
    message = received()
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        server = {"name": "recorder", "version": "1"}
        capabilities = {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}, "completions": {}}
        send({"id": number, "result": {"protocolVersion": "2025-11-25", "serverInfo": server, "capabilities": capabilities}})
    elif method == "tools/list":
        send({"id": number, "result": {"tools": [tool(name) for name in ("read", "write", "ask", "variable")]}})
    elif method == "tools/call":
        send({"id": number, "result": called(message["params"])})
    elif number is not None and method is not None:
        # A server of an older revision knows nothing of `server/discover`.
        send({"id": number, "error": {"code": -32601, "message": f"no {method}"}})
