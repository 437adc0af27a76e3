rockspec_format = "3.0"
package = "libmcp"
version = "scm-1"
source = {
  url = "git+https://github.com/libmcp/libmcp.git",
  dir = "libmcp/bindings/lua",
}
description = {
  summary = "The Model Context Protocol for LuaJIT and Neovim: clients and servers",
  detailed = "A thin layer over libmcp by LuaJIT's FFI. The library is installed by itself.",
  homepage = "https://github.com/libmcp/libmcp",
  license = "MIT OR Apache-2.0",
}
dependencies = { "lua == 5.1" }
build = {
  type = "builtin",
  modules = {
    ["mcp"] = "mcp.lua",
    ["mcp.cdef"] = "mcp/cdef.lua",
    ["mcp.client"] = "mcp/client.lua",
    ["mcp.json"] = "mcp/json.lua",
    ["mcp.login"] = "mcp/login.lua",
    ["mcp.loop"] = "mcp/loop.lua",
    ["mcp.native"] = "mcp/native.lua",
    ["mcp.request"] = "mcp/request.lua",
    ["mcp.server"] = "mcp/server.lua",
    ["mcp.view"] = "mcp/view.lua",
  },
}
