--- The host's side of the page of a tool (MCP Apps, docs/guide/apps.md). It shows nothing: the program has a web view.

local ffi = require("ffi")
local native = require("mcp.native")

local lib = native.lib
local EMPTY = native.status.empty

local View = {}
View.__index = View

local M = {}

--- view(settings): the settings are those of mcp_app_new in mcp.h, such as hostInfo, hostCapabilities, tool and tools.
function M.new(settings)
  if type(settings) ~= "table" then
    native.refuse("view", "needs a table of settings, not a " .. type(settings))
  end
  local _, handle = native.call_out("view", "mcp_app_t *[1]", "mcp_app_new", native.encode(settings, "settings"))
  -- Forgotten ones are freed by the collector.
  return setmetatable({ handle = ffi.gc(handle, lib.mcp_app_free) }, View)
end

--- Takes a message of the page's own frame, as it came: a text or a table. A malformed or forbidden one is answered or dropped.
function View:receive(message)
  local text = type(message) == "table" and native.encode(message, "message") or native.text(message, "message")
  native.call("receive", "mcp_app_receive", self.handle, text)
end

--- Tells what happened: tell("input", { arguments = … }), tell("result", { result = … }), tell("answer", { id = …, result = … }),
-- tell("teardown", { reason = "closed" }) and the others of mcp_app_tell in mcp.h.
function View:tell(kind, members)
  local told = {}
  for name, value in pairs(members or {}) do
    told[name] = value
  end
  told.type = kind
  native.call("tell", "mcp_app_tell", self.handle, native.encode(told, "tell"))
end

--- The next action; nil when there is nothing to do until something is received or told.
function View:poll()
  local out = ffi.new("char *[1]")
  local status = lib.mcp_app_poll(self.handle, out)
  if status == EMPTY then
    return nil
  end
  if status < 0 then
    error(native.error_of(status, nil, "poll"), 0)
  end
  return native.decode(native.owned(out[0]))
end

--- The actions that are there, and those that come while they are done: for action in view:actions() do … end
function View:actions()
  return function()
    return self:poll()
  end
end

--- Frees it. Any number of times.
function View:close()
  local handle = self.handle
  if handle then
    self.handle = nil
    lib.mcp_app_free(ffi.gc(handle, nil))
  end
end

--- The policy for the frame of a document, from "_meta.ui" of what was read: csp, allow, refused, and head, HTML to write before the document.
function M.policy(ui)
  local _, policy = native.call_out("view_policy", "char *[1]", "mcp_app_policy", native.encode(ui, "ui"))
  return native.decode(native.owned(policy))
end

return M
