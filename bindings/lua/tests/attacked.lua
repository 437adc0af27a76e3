--- A server for the attacks of bindings/python/tests/attacks.py: says its URL, and ends with its input.

local ffi = require("ffi")
local mcp = require("mcp")

ffi.cdef([[
struct mcp_test_poll { int fd; short events; short revents; };
int poll(struct mcp_test_poll *fds, unsigned long count, int milliseconds);
struct mcp_test_time { long seconds; long nanoseconds; };
int clock_gettime(int clock, struct mcp_test_time *now);
]])

local function now()
  local time = ffi.new("struct mcp_test_time")
  ffi.C.clock_gettime(1, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local server = mcp.server({ name = "attacked", version = "1", limits = { frame_bytes = 16 * 1024 * 1024 }, on_failure = function() end })
local kept, late = {}, {}

local function tool(name, handler, properties)
  local required = mcp.array({})
  for property in pairs(properties or {}) do
    required[#required + 1] = property
  end
  server:add_tool({ name = name, inputSchema = { type = "object", properties = properties, required = required } }, handler)
end

tool("hello", function(given)
  return "Hello, " .. given.name .. "!"
end, { name = { type = "string" } })
tool("fail", function()
  error("a secret")
end)
tool("hang", function(_, request)
  request:defer()
end)
tool("slow", function(_, request)
  request:defer()
  late[#late + 1] = { request = request, at = now() + 0.5 }
end)
tool("keep", function()
  kept[#kept + 1] = ffi.new("char[?]", 1024 * 1024)
  return "kept"
end)
tool("noise", function()
  print("noise")
  return "quiet"
end)

print(server:serve("http://127.0.0.1:0/mcp").url)
io.stdout:flush()
local ready = ffi.new("struct mcp_test_poll[2]", { { 0, 1, 0 }, { server:fd(), 1, 0 } })
repeat
  ffi.C.poll(ready, 2, late[1] and math.max(0, math.ceil((late[1].at - now()) * 1000)) or -1)
  server:poll(0)
  while late[1] and late[1].at <= now() do
    -- Its client may have gone.
    pcall(function()
      table.remove(late, 1).request:respond({ content = { { type = "text", text = "slow" } } })
    end)
  end
until ready[0].revents ~= 0 and not io.read("*l")
server:close()
