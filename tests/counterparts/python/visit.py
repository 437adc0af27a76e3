"""visit.py URL, or visit.py COMMAND [ARGUMENT...]: calls everything of server.py, and writes what it answers, which is visit.txt."""

import json
import sys
from typing import Any

from libmcp import Client

first, *args = sys.argv[1:]


def elicit(form: dict[str, Any]) -> dict[str, Any]:
    print("question:", form["message"])
    return {"size": "large", "cups": 2}


where = {"url": first} if first.startswith("http://") else {"command": first, "args": args, "inherit_env": "all"}
with Client(where, on_elicitation=elicit) as client:
    client.connect(timeout=60)
    info = client.info()
    print(info["server"]["name"], info["server"]["version"], info["instructions"])
    for tool in client.tools():
        print(tool["name"], "has the description:", tool["description"].splitlines()[0])

    def say(tool: str, arguments: dict[str, Any], **options: Any) -> None:
        result = client.call_tool(tool, arguments, **options)
        said = result.text if tool == "brew" else json.dumps(result.data)  # The SDK also makes structured content of a text.
        print(f"{tool}:", "failed" if result.is_error else said)

    say("price", {"tea": "green"})
    say("price", {"tea": "white"})
    say("brew", {"minutes": 0.001}, on_progress=lambda report: print(report["progress"], "of", report["total"], report["message"]))
    say("brew", {"minutes": -1})
    say("order", {"tea": "black"})
    [resource] = client.resources()
    [menu] = client.read_resource(resource["uri"])
    print(resource["uri"], resource["name"], resource["mimeType"], json.loads(menu["text"]))
    [prompt] = client.prompts()
    filled = client.get_prompt(prompt["name"], {"mood": "cheerful"})
    print(prompt["name"], "has the description:", prompt["description"])
    print([message["content"]["text"] for message in filled["messages"]])
