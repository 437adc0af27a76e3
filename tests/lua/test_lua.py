"""The Lua binding, under LuaJIT and in a headless Neovim: the same tests in both, with the code of its page as printed; in Neovim those of the
example plugin, too. The servers in Lua that the tests start run under LuaJIT."""

import attacks
import pytest
import support

BINDING = support.ROOT / "bindings/lua"
# The script of the tests, from the folder of the binding.
SCRIPT = "tests/run.lua"


@pytest.mark.parametrize("name", ["luajit", "neovim"])
def test_the_binding_under(name):
    program, home = support.peer(name), support.emptied(f"lua/{name}")
    words = ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SCRIPT}"] if name == "neovim" else [SCRIPT]
    # Where Neovim would read what the user has, and write.
    folders = dict.fromkeys(["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"], home)
    env = {name: support.places()[name.removeprefix("MCP_").lower()] for name in support.SERVERS}
    env |= {"MCP_LIBRARY": support.library(), "MCP_LUAJIT": support.peer("luajit"), "MCP_TEST_ONLY": None}
    support.all_pass(support.run([program, *words], 600, env=folders | env | {"LUA_PATH": f"{BINDING}/?.lua;;"}, cwd=BINDING))


def test_a_server_survives_attacks():
    env = {"MCP_LIBRARY": support.library(), "LUA_PATH": f"{BINDING}/?.lua;;"}
    attacks.survives([support.peer("luajit"), BINDING / "tests/attacked.lua"], support.scratch("lua") / "attacked.log", **env)
