--- The Model Context Protocol for LuaJIT, Neovim and OpenResty: clients and servers, by libmcp. README.md is the guide.

local has_ffi = pcall(require, "ffi")
if not has_ffi then
  error("mcp needs LuaJIT, or Neovim or OpenResty built with it: " .. _VERSION .. " has no FFI", 0)
end

local ffi = require("ffi")
local client = require("mcp.client")
local json = require("mcp.json")
local loop = require("mcp.loop")
local native = require("mcp.native")
local server = require("mcp.server")
local view = require("mcp.view")

local M = {
  --- JSON's null, which is not `nil`.
  null = json.null,
  --- array(values): a table that is an array in JSON also where it is empty.
  array = json.array,
  --- decode(text): the value of a JSON text.
  decode = native.decode,
  --- is_error(value): whether it is an error of this module.
  is_error = native.is_error,
  --- spawn(fn, …): runs a function as a coroutine, in which calls yield.
  spawn = loop.spawn,
  --- client(settings): a client that connects with its first call; client(server, settings): one of a server of this program.
  client = client.new,
  --- server(settings): a server.
  server = server.new,
  --- view(settings): the host's side of the page of a tool.
  view = view.new,
  --- view_policy(ui): the policy for the frame of such a page.
  view_policy = view.policy,
}

--- The JSON text of a value.
function M.encode(value)
  return native.encode(value == nil and json.null or value, "value")
end

--- A client that is connected, or the error why it cannot be. It takes what `client` takes.
function M.connect(...)
  local made = client.new(...)
  local ok, why = pcall(made.connect, made)
  if not ok then
    made:close()
    error(why, 0)
  end
  return made
end

--- All text of a result of a tool, a resource or a prompt, joined by line feeds; nil if there is none.
function M.text(result)
  local texts = {}
  for _, block in ipairs(result.content or result.contents or result.messages or {}) do
    block = type(block.content) == "table" and block.content or block
    block = type(block.resource) == "table" and block.resource or block
    if type(block.text) == "string" then
      texts[#texts + 1] = block.text
    end
  end
  return #texts > 0 and table.concat(texts, "\n") or nil
end

--- The URI of a URI template with these variables.
function M.expand_template(template, variables)
  template = native.text(template, "template")
  local _, uri = native.call_out("expand_template", "char *[1]", "mcp_uri_template_expand", template, native.encode(variables, "variables"))
  return native.owned(uri)
end

--- The servers of a file with "mcpServers", in its order: tables with `name` and `disabled`.
function M.servers(file)
  local _, text = native.call_out("servers", "char *[1]", "mcp_config_servers", native.text(file, "file"))
  return native.decode(native.owned(text))
end

--- The version of the library.
function M.version()
  return ffi.string(native.lib.mcp_version())
end

return M
