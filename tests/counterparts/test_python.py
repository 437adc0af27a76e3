"""The comparison programs on the official SDK for Python, and a client on this library with both servers, with what the wheel installs."""

import pytest
import support
from counterparts import visits
from interop import plans

FOLDER, BINDING = support.ROOT / "tests/counterparts/python", support.ROOT / "bindings/python"


def test_the_client_on_the_official_sdk_works():
    words = [support.peer("python-2"), "-B", "-W", "ignore", FOLDER / "everything.py", *plans.reference_server("everything")]
    support.says(support.run(words), ["elicitation: ", "parallel: 100 of 100", "crash: transport", "reconnected"])


def test_the_official_client_uses_the_server_on_the_official_sdk():
    python = support.peer("python-2")
    words = [python, "-B", BINDING / "tests/official_client.py", python, "-B", FOLDER / "server.py"]
    support.says(support.run(words), ["structured\n", "progress\n", "elicitation\n", "resource\n", "prompt\n"])


@pytest.mark.parametrize("is_ours", [True, False], ids=["the server example", "the server on the official SDK"])
def test_a_client_uses_a_server_over_stdio_and_http(is_ours):
    python, found = support.peer("python-binding")["interpreter"], f"PYTHONPATH={support.peer('python-binding')['folder']}"
    client = ["env", found, python, "-B", FOLDER / "visit.py"]
    ours = ["env", found, python, "-B", BINDING / "examples/server.py"]
    visits.visit(client, "python", ours if is_ours else [support.peer("python-2"), "-B", FOLDER / "server.py"])
