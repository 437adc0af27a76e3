//! `bindings/lua/mcp/cdef.lua`: the declarations that `LuaJIT`'s FFI reads, and the numbers.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};
use super::python::declarations;

/// A program may load the file twice, as an editor does that reloads a plugin; the types are there then.
const HEAD: &str = "\
-- Generated from include/mcp.h by `cargo xtask bindings`; do not edit.

--- What the binding takes from the C header: its declarations and its numbers.

local ffi = require(\"ffi\")

if not pcall(ffi.typeof, \"mcp_client_t\") then
  ffi.cdef([[
";

pub fn text(constants: &Constants, header: &str) -> String {
    let mut text = HEAD.to_owned();
    for line in declarations(header).lines().filter(|line| !line.starts_with('#')) {
        text.extend([line, "\n"]);
    }
    let _ = write!(text, "  ]])\nend\n\nreturn {{\n  abi = {},\n", constants.abi);
    let groups = [("status", &constants.statuses), ("kind", &constants.kinds), ("topic", &constants.topics)];
    for (name, constants) in groups {
        let _ = writeln!(text, "  {name} = {{");
        for constant in constants {
            let Constant { value, comment, .. } = constant;
            let _ = write!(text, "    -- {comment}\n    {} = {value},\n", constant.lower());
        }
        text.push_str("  },\n");
    }
    text.push_str("}\n");
    text
}
