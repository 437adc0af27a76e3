--- What the tests share: the servers, which `cargo xtask test --only lua` names, checks, and waits with a bound.

local ffi = require("ffi")
local mcp = require("mcp")

ffi.cdef([[
int getpid(void);
int getppid(void);
int kill(int pid, int signal);
int usleep(unsigned int microseconds);
struct mcp_test_poll { int fd; short events; short revents; };
int poll(struct mcp_test_poll *fds, unsigned long count, int milliseconds);
struct mcp_test_address { unsigned short family; unsigned char port[2]; unsigned char host[4]; unsigned char zero[8]; };
int socket(int domain, int type, int protocol);
int connect(int fd, const struct mcp_test_address *address, unsigned int size);
ssize_t send(int fd, const char *data, size_t size, int flags);
ssize_t recv(int fd, char *data, size_t size, int flags);
int close(int fd);
]])

local M = {}

--- How long something that must happen may take on a busy machine, in seconds.
M.PATIENCE = 60

M.folder = debug.getinfo(1, "S").source:match("^@(.*)/[^/]*$")
M.pid = ffi.C.getpid()

local function merged(base, more)
  for key, value in pairs(more or {}) do
    base[key] = value
  end
  return base
end

local function server(variable, arguments, more)
  local command = assert(os.getenv(variable), variable .. " names no server; run `cargo xtask test --only lua`")
  return merged({ command = command, args = mcp.array(arguments) }, more)
end

--- The settings of a client of the correct server.
function M.example(arguments, more)
  return server("MCP_EXAMPLE_SERVER", arguments or {}, more)
end

--- The same of the server that misbehaves by script.
function M.scripted(arguments, more)
  return server("MCP_SCRIPTED_SERVER", arguments or {}, more)
end

--- The same of a server in Lua, a file of this folder.
function M.lua(file, more)
  return merged({
    command = M.luajit,
    args = { M.folder .. "/" .. file },
    env = { LUA_PATH = assert(os.getenv("LUA_PATH")), MCP_LIBRARY = os.getenv("MCP_LIBRARY") },
  }, more)
end

--- An error with its place, for xpcall.
function M.traced(failure)
  return debug.traceback(tostring(failure), 2)
end

local function shown(value)
  local ok, text = pcall(mcp.encode, value)
  return ok and text or tostring(value)
end

--- Values of JSON are equal.
function M.equal(got, wanted)
  if shown(got) ~= shown(wanted) then
    error(("got    %s\nwanted %s"):format(shown(got), shown(wanted)), 2)
  end
end

function M.has(text, part)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    error(("%s does not have %q"):format(shown(text), part), 2)
  end
end

--- The error that a function raises: one of the module, of this status.
function M.raises(status, fn, ...)
  local ok, why = pcall(fn, ...)
  if ok then
    error("nothing was raised", 2)
  end
  if not mcp.is_error(why) then
    error("something else was raised: " .. tostring(why), 2)
  end
  if why.status ~= status then
    error(("the status is %s (%s), not %s"):format(why.status, why.message, status), 2)
  end
  return why
end

--- Waits for a condition with a bound, and polls these clients and servers meanwhile.
function M.eventually(condition, ...)
  local polled = { ... }
  local stop = os.time() + M.PATIENCE
  while not condition() do
    if os.time() > stop then
      error("it did not happen in time", 2)
    end
    for _, one in ipairs(polled) do
      one:poll(0)
    end
    ffi.C.usleep(1000)
  end
end

function M.alive(pid)
  return ffi.C.kill(pid, 0) == 0
end

function M.kill(pid, signal)
  ffi.C.kill(pid, signal or 9)
end

--- Whether a descriptor is readable within so many seconds.
function M.readable(fd, seconds)
  local one = ffi.new("struct mcp_test_poll[1]", { { fd, 1, 0 } })
  return ffi.C.poll(one, 1, seconds * 1000) == 1
end

--- What a command of the shell writes, and whether it succeeds.
function M.output(command)
  local pipe = assert(io.popen(command .. '; echo "exit $?"'))
  local text = pipe:read("*a")
  pipe:close()
  local said, code = text:match("^(.*)exit (%d+)\n$")
  return said, tonumber(code)
end

--- The program that runs servers in Lua.
M.luajit = os.getenv("MCP_LUAJIT") or M.output("command -v luajit"):gsub("%s", "")

--- How many descriptors, threads and children this process has.
function M.holdings()
  local said = M.output(
    ("ls /proc/%d/fd | wc -l; ls /proc/%d/task | wc -l; cat /proc/%d/task/*/children | wc -w"):format(M.pid, M.pid, M.pid)
  )
  local fds, threads, children = said:match("(%d+)%s+(%d+)%s+(%d+)")
  return { fds = tonumber(fds), threads = tonumber(threads), children = tonumber(children) }
end

--- Nothing is left of what a test made: descriptors, threads, processes.
function M.nothing_left(before)
  local now
  local stop = os.time() + M.PATIENCE
  repeat
    collectgarbage()
    now = M.holdings()
    if now.fds <= before.fds and now.threads <= before.threads and now.children <= before.children then
      return
    end
    ffi.C.usleep(10000)
  until os.time() > stop
  error(("left: %s, before: %s"):format(shown(now), shown(before)), 2)
end

--- A new file with this text.
function M.file(text)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
  return name
end

--- What a server of this machine answers to a request, whole.
local function exchange(port, request)
  local fd = ffi.C.socket(2, 1, 0)
  local address = ffi.new("struct mcp_test_address", { 2, { math.floor(port / 256), port % 256 }, { 127, 0, 0, 1 } })
  assert(ffi.C.connect(fd, address, ffi.sizeof(address)) == 0, "cannot connect to port " .. port)
  ffi.C.send(fd, request, #request, 0x4000)
  local answer, room = "", ffi.new("char[4096]")
  repeat
    local got = tonumber(ffi.C.recv(fd, room, 4096, 0))
    answer = answer .. ffi.string(room, math.max(got, 0))
    local head, body = answer:match("^(.-\r\n\r\n)(.*)$")
    local length = head and tonumber(head:lower():match("content%-length: (%d+)"))
  until got <= 0 or length and #body >= length
  ffi.C.close(fd)
  return answer
end

--- Fetches a URL of this machine; gives the body, and where it redirects to.
function M.get(url)
  local host, port, target = url:match("^http://([%w.]+):(%d+)(.*)$")
  assert(host, "not a URL of this machine: " .. url)
  local request = "GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n"
  local answer = exchange(tonumber(port), request:format(target, host, port))
  return answer:match("\r\n\r\n(.*)$"), answer:match("\r\n[Ll]ocation: ([^\r]+)")
end

--- A person with a browser, who does what the page says.
function M.browse(url)
  while url do
    local _, location = M.get(url)
    url = location
  end
end

--- The server over HTTP that misbehaves by script: its `url`, `port` and `pid`, and `stats()`.
function M.web(script, port)
  local program = assert(os.getenv("MCP_SCRIPTED_HTTP"), "MCP_SCRIPTED_HTTP names no server")
  local words = ("echo $$; exec '%s' --life 300 --port %d %s"):format(program, port or 0, script or "")
  local pipe = assert(io.popen(words))
  local web = { pid = pipe:read("*n"), port = pipe:read("*n"), control = pipe:read("*n") }
  web.url = ("http://127.0.0.1:%d/mcp"):format(web.port)
  function web.stats()
    return mcp.decode((M.get(("http://127.0.0.1:%d/stats"):format(web.control))))
  end
  function web.kill()
    M.kill(web.pid)
    pipe:close()
  end
  return web
end

--- The tests of a file: `test(name, fn)` adds one.
function M.suite()
  local all = {}
  return all, function(name, fn)
    all[#all + 1] = { name = name, fn = fn }
  end
end

return M
