"""Downloads a file of Maven Central, unless Maven has it on this machine, and unpacks it.

    unpacked.py PATH SHA256 FOLDER

PATH is that of a zip file below the root of the repository.
"""
import hashlib
import io
import sys
import urllib.request
import zipfile
from pathlib import Path

path, digest, folder = sys.argv[1:]
kept = Path.home() / ".m2/repository" / path
if kept.is_file():
    data = kept.read_bytes()
else:
    with urllib.request.urlopen(f"https://repo1.maven.org/maven2/{path}", timeout=60) as answer:
        data = answer.read()
found = hashlib.sha256(data).hexdigest()
if found != digest:
    sys.exit(f"{path} has the SHA-256 {found}, and {digest} is pinned")
with zipfile.ZipFile(io.BytesIO(data)) as file:
    file.extractall(folder)
