"""The page of `mcp inspect` in headless Chromium: each test of `page.mjs`, which says what is looked at. Screenshots are in the scratch folder.

Where there is a Firefox, those of the tests that are about its engine run in it, too.
"""

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
IN_FIREFOX = [name for name in NAMES if re.search("both eras|viewer|an origin of its own|hostile|keyboard alone|screen reader|others", name)]
assert len(IN_FIREFOX) == 7, IN_FIREFOX


def looked_at(browser, folder, name):
    words = [support.peer("node"), SCRIPT, support.places()["program"], browser, support.peer("page")]
    finished = support.run([*words, support.scratch(folder), name], limit=150).well()
    assert f"ok {name}" in finished.stdout, finished.story()


@pytest.mark.parametrize("name", NAMES)
def test_the_page(name):
    looked_at(support.peer("chromium"), "page", name)


@pytest.mark.skipif(not FIREFOX, reason="there is no Firefox here; Debian: apt-get install firefox-esr")
@pytest.mark.parametrize("name", IN_FIREFOX)
def test_the_page_in_firefox(name):
    looked_at(FIREFOX, "page-firefox", name)
