"""The page of `mcp inspect` in headless Chromium: each test of `page.mjs`, which says what is looked at. Screenshots are in the scratch folder.

Where there is a Firefox, those of the tests that are about its engine run in it, too.
"""

import json
import os
import re
import shutil

import pytest
import support

SCRIPT = support.ROOT / "tests/page/page.mjs"
NAMES = re.findall(r'^  async "([^"]+)"', SCRIPT.read_text(), re.MULTILINE)
assert NAMES, f"{SCRIPT} has no test of the form that is looked for"


def test_the_modules_fit_their_types_and_the_file_of_libraries_its_packages():
    support.run([support.places()["xtask"], "page", "--check"], limit=300, cwd=support.ROOT).well()


FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# What an engine may do in its own way: frames, policies, other origins, viewers, keys.
IN_FIREFOX = [name for name in NAMES if re.search("both eras|viewer|an origin of its own|hostile|keyboard alone|screen reader|page of others", name)]
assert len(IN_FIREFOX) == 7, IN_FIREFOX


FAST = """from fastmcp import FastMCP
server = FastMCP("fast")
@server.tool
def add(a: int, b: float = 1.5, note: str | None = None) -> dict:
    return {"sum": a + b}
server.run()
"""


def others():
    """Servers of others that the page is tried with."""
    packages, node = support.Path(support.peer("npm")) / "node_modules/@modelcontextprotocol", str(support.peer("node"))
    fast = support.emptied("page-others") / "fast.py"
    fast.write_text(FAST)
    served = str(support.ROOT / "tests/page")
    return {
        "everything": {
            "command": [node, str(packages / "server-everything/dist/index.js")],
            "tools": 13, "call": "echo", "arguments": {"message": "Ada"}, "says": "Ada",
        },
        "filesystem": {
            "command": [node, str(packages / "server-filesystem/dist/index.js"), served],
            "tools": 14, "call": "list_directory", "arguments": {"path": served}, "says": "page.mjs",
        },
        "fastmcp": {
            "command": [str(support.peer("fastmcp")), str(fast)],
            "tools": 1, "call": "add", "arguments": {"a": "2"}, "says": "3.5",
        },
    }


def looked_at(browser, folder, name):
    words = [support.peer("node"), SCRIPT, support.places()["program"], browser, support.peer("page")]
    env = None
    if "servers of others" in name:
        env = {"MCP_PAGE_OTHERS": json.dumps(others())}
    elif "SDK of apps" in name:
        modules = [support.Path(support.peer("npm")) / f"node_modules/{one}/dist/src/app-with-deps.js" for one in ("ext-apps", "ext-apps-1")]
        env = {"MCP_PAGE_SDK": os.pathsep.join(map(str, modules))}
    elif "official examples" in name:
        env = {"MCP_PAGE_OFFICIAL": support.official_app()}
    finished = support.run([*words, support.scratch(folder), name], limit=2 * support.LIMIT, env=env).well()
    assert f"ok {name}" in finished.stdout, finished.story()


@pytest.mark.parametrize("name", NAMES)
def test_the_page(name):
    looked_at(support.peer("chromium"), "page", name)


@pytest.mark.skipif(not FIREFOX, reason="there is no Firefox here; Debian: apt-get install firefox-esr")
@pytest.mark.parametrize("name", IN_FIREFOX)
def test_the_page_in_firefox(name):
    looked_at(FIREFOX, "page-firefox", name)
