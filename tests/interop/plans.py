"""What the servers of others have, for `matrix.c`: the features, and for each server a file in `plans` with the arguments of each feature."""

import json

import support

# The features in the order of docs/reference/compatibility.md, with the first revision that has them. `matrix.c` has the same.
FEATURES = {
    "tools": "2024-11-05",
    "structured output": "2025-06-18",
    "resources": "2024-11-05",
    "resource templates": "2024-11-05",
    "subscriptions": "2024-11-05",
    "prompts": "2024-11-05",
    "completion": "2024-11-05",
    "ping": "2024-11-05",
    "log messages": "2024-11-05",
    "list changes": "2024-11-05",
    "progress": "2024-11-05",
    "cancelling": "2024-11-05",
    "sampling": "2024-11-05",
    "elicitation, form": "2025-06-18",
    "elicitation, URL": "2025-11-25",
    "roots": "2024-11-05",
    "pages": "2024-11-05",
    "cache": "2024-11-05",
    "tasks": "2025-11-25",
    "skills": "2024-11-05",
    "tool modes": "2024-11-05",
}


def plan(name):
    """The features that a server has, with their arguments."""
    return json.loads((support.ROOT / f"tests/interop/plans/{name}.json").read_text())


def typescript_server():
    """The server of the TypeScript SDK. Node looks for packages from where a module is."""
    copy = support.Path(support.peer("npm")) / "server.mjs"
    text = (support.ROOT / "tests/servers/typescript/server.mjs").read_text()
    if not copy.exists() or copy.read_text() != text:
        copy.write_text(text)
    return [support.peer("node"), copy]


def reference_server(name):
    """What starts one of the protocol's reference servers."""
    script = f"node_modules/@modelcontextprotocol/server-{name}/dist/index.js"
    return [support.peer("node"), support.Path(support.peer("npm")) / script]
