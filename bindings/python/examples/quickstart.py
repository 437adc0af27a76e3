"""Starts a server, says what it is, and calls its tool "echo".

python quickstart.py COMMAND [ARGUMENT...]
"""

import sys

from libmcp import Client

if len(sys.argv) < 2:
    sys.exit(__doc__)

with Client({"command": sys.argv[1], "args": sys.argv[2:]}) as client:
    client.connect(timeout=30)
    info = client.info()
    print(f"connected to {info['server']['name']} {info['server']['version']}, revision {info['revision']}")
    # Servers differ in what they call the argument.
    print(client.call_tool("echo", {"text": "Hello from Python", "message": "Hello from Python"}).text)
