"""Reads a resource, subscribes to it, and reads it again each time the server says that it has changed."""

import argparse
import base64
import json
import queue
from typing import Any

from libmcp import Client, Config

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--uri", required=True, help="the resource to watch")
parser.add_argument("--updates", type=int, default=1, help="how many changes to wait for")
parser.add_argument("--touch", metavar="TOOL", help="a tool that changes the resource, so that there is something to see")
parser.add_argument("--arguments", type=json.loads, default={}, metavar="JSON", help="its arguments")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()

changed: queue.Queue[str] = queue.Queue()


def hear(method: str, params: Any) -> None:
    if method == "notifications/resources/updated":
        changed.put(params["uri"])


def show(client: Client) -> None:
    content: Any  # It has a text or a blob.
    for content in client.read_resource(given.uri):
        body = content["text"].encode() if "text" in content else base64.b64decode(content["blob"])
        print(f"{content['uri']} ({content.get('mimeType')}): {body[:60]!r}")


config: Config = {"command": given.command[0], "args": given.command[1:]}
with Client(config, on_notification=hear) as client:
    show(client)
    client.subscribe(given.uri)
    if given.touch:
        client.call_tool(given.touch, given.arguments)
    for _ in range(given.updates):
        print("changed:", changed.get(timeout=60))
        show(client)
    client.unsubscribe(given.uri)
