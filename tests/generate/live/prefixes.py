"""Calls tools of two servers that a broker at MCP_SOCKET offers as one. The names have prefixes, which are modules here."""

import os

from everything.echo import echo as other
from example.add import add
from example.echo import echo
from example.fail import fail
from libmcp import Client, Error

with Client({"socket": os.environ["MCP_SOCKET"]}) as client:
    print("add", add(client, a=1.5, b=2)["sum"])
    print("echo", echo(client, text="Hello").text)
    print("everything", other(client, message="Hello").text)
    try:
        fail(client)
    except Error as error:
        print("fail", error)
