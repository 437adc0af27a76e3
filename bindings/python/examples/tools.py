"""Lists a server's tools, over all pages, and calls one of them."""

import argparse
import json

from libmcp import Client

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--call", metavar="NAME", help="the tool to call")
parser.add_argument("--arguments", type=json.loads, default={}, metavar="JSON", help="its arguments")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()

with Client({"command": given.command[0], "args": given.command[1:]}) as client:
    for tool in client.tools(timeout=30):
        print(f"{tool['name']:<32} {tool.get('description', '')}")
    if given.call:
        result = client.call_tool(given.call, given.arguments, timeout=30).check()
        print(f"\n{given.call} says: {result.text}")
        if result.data is not None:
            print("as data:", json.dumps(result.data))
