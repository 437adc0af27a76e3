"""A client on this library uses the server example of a binding, and the same server on the official SDK, over stdio and over HTTP: it
writes the same lines each time, those of `visit.txt` in the folder of the language."""

import support


def visit(client, language, server, place="http://127.0.0.1:{port}/mcp", ends_well=False, **env):
    """`client` takes a URL, or a command with its arguments; `server` is a command to which over HTTP a word is added, which says where."""
    expected = (support.ROOT / f"tests/counterparts/{language}/visit.txt").read_text()

    def once(*words):
        finished = support.run([*client, *words], env=env).well()
        assert finished.stdout == expected, f"other lines than in {language}/visit.txt: {finished.story()}"

    once(*server)
    port = support.free_port()
    log = support.scratch("visits") / f"{language}-{port}.log"
    with support.Served([*server, place.replace("{port}", str(port))], log, port, env={"LD_LIBRARY_PATH": None}) as served:
        once(f"http://127.0.0.1:{port}/mcp")
        if ends_well:
            # It closes what is open on SIGTERM, and ends without an error.
            served.terminate()
