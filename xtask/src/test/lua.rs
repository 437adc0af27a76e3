//! The Lua binding, under `LuaJIT` and in a headless Neovim: the same tests in both, with the code of its page as printed; in Neovim those of
//! the example plugin, too. The servers in Lua that the tests start run under `LuaJIT`.

use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::is_fresh;
use crate::checkout::cleared;
use crate::machine::{LUAJIT, NEOVIM};
use crate::process;

const LIMIT: Duration = Duration::from_secs(600);

/// The script of the tests, from the folder of the binding.
const SCRIPT: &str = "tests/run.lua";

/// Where Neovim would read what the user has, and write.
const FOLDERS: [&str; 4] = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("cdef.lua is what include/mcp.h says", is_fresh(stage.checkout, "lua"));
    let Some(luajit) = stage.tally.need(&LUAJIT, "the Lua binding") else { return Ok(()) };
    let neovim = stage.tally.need(&NEOVIM, "the Lua binding in Neovim");
    let built = stage.built()?;
    let folder = stage.checkout.root.join("bindings/lua");
    let log = stage.checkout.scratch("lua")?;
    let home = cleared(&log.join("home"))?;
    let mut commands = vec![("luajit", Command::new(&luajit))];
    commands[0].1.arg(SCRIPT);
    if let Some(neovim) = neovim {
        let mut command = Command::new(neovim);
        command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", &format!("luafile {SCRIPT}")]);
        command.envs(FOLDERS.map(|name| (name, &home)));
        commands.push(("nvim", command));
    }
    for (name, mut command) in commands {
        command.current_dir(&folder).env("LUA_PATH", format!("{}/?.lua;;", folder.display()));
        command.env("MCP_LIBRARY", &built.library).env("MCP_LUAJIT", &luajit).env_remove("MCP_TEST_ONLY");
        command.env("MCP_EXAMPLE_SERVER", &built.example_server);
        command.env("MCP_SCRIPTED_SERVER", &built.scripted_server);
        command.env("MCP_SCRIPTED_HTTP", &built.scripted_http);
        let tests = process::run(&mut command, LIMIT, &log.join(name))?;
        bindings::count(stage, &tests);
    }
    Ok(())
}
