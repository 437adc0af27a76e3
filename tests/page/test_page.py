"""The page of `mcp inspect` in headless Chromium: each test of `page.mjs`, which says what is looked at. Screenshots are in the scratch folder."""

import re

import pytest
import support

SCRIPT = support.ROOT / "tests/page/page.mjs"
NAMES = re.findall(r'^  async "([^"]+)"', SCRIPT.read_text(), re.MULTILINE)
assert NAMES, f"{SCRIPT} has no test of the form that is looked for"


def test_the_modules_fit_their_types_and_the_file_of_libraries_its_packages():
    support.run([support.places()["xtask"], "page", "--check"], limit=300, cwd=support.ROOT).well()


@pytest.mark.parametrize("name", NAMES)
def test_the_page(name):
    words = [support.peer("node"), SCRIPT, support.places()["program"], support.peer("chromium"), support.peer("page")]
    finished = support.run([*words, support.scratch("page"), name], limit=150).well()
    assert f"ok {name}" in finished.stdout, finished.story()
