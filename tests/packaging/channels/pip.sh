# the wheel by pip: the binding's first example, and the program
python3 -m venv venv
venv/bin/pip install /release/libmcp-*-manylinux*_x86_64.whl
cat >hello.py <<'END'
import sys
from libmcp import Client
with Client({"command": sys.argv[1]}) as client:
    print(client.call_tool("echo", {"text": "Hello from Python"}).text)
END
venv/bin/python hello.py "$SERVER"
venv/bin/libmcp call echo text=Hello -- "$SERVER"
