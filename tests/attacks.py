"""A server of a binding under the attacks that the Python binding keeps: it behaves, answers a plain call after each, and ends well."""

import importlib.util

import support


def survives(words, log, **env):
    """`words` is a command that has the tools of test_attacks.py, says its URL in its first line, and ends with its input."""
    spec = importlib.util.spec_from_file_location("attacks_of_zeromcp", support.ROOT / "bindings/python/tests/attacks.py")
    attacks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(attacks)
    with support.Served(words, log, env=env) as served:
        url = served.first_line().strip()
        failed = {name: why for name in attacks.ATTACKS if (why := attacks.attack(url, name))}
        assert not failed and served.child.poll() is None, (failed, log.read_text())
        assert served.end() == 0, log.read_text()
    assert len(attacks.ATTACKS) == 37
