--- Connections that fail, end and are forgotten.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises, eventually = support.equal, support.has, support.raises, support.eventually
local example, scripted = support.example, support.scripted

local function pid_of(client)
  return tonumber(mcp.text(client:call("pid")))
end

test("a crash ends its call and the server comes back", function()
  local states = {}
  local client = mcp.client(example(nil, {
    reconnect = { initial_ms = 10 },
    on_state = function(change)
      states[#states + 1] = change.state
    end,
  }))
  has(raises("transport", client.call, client, "crash", { code = 3 }).message, "3")
  equal(mcp.text(client:call("echo", { text = "back" }, { when_unavailable = "wait" })), "back")
  client:close()
  has(table.concat(states, " "), "ready backoff starting")
  equal(states[#states], "closed")
end)

test("a connection that cannot be is told", function()
  has(raises("transport", mcp.connect, { command = "/no/such/server" }).message, "/no/such/server")
  local client = mcp.client(scripted({ "hang-on-initialize" }))
  raises("timeout", client.connect, client, 0.05)
  local failure
  client:connect_async(0.05, function(why)
    failure = why
  end)
  eventually(function()
    return failure
  end, client)
  equal(failure.status, "timeout")
  client:close()
end)

test("close ends the server and every call, twice, and leaves nothing", function()
  local before = support.holdings()
  local client = mcp.connect(scripted())
  local outcomes = {}
  for i = 1, 20 do
    client:call_async("hang", function(failure)
      outcomes[i] = failure.status
    end)
  end
  local pid = client:info().pid
  client:close()
  client:close()
  for i = 1, 20 do
    equal(outcomes[i], "closed")
  end
  equal(support.alive(pid), false)
  equal(client:state(), "closed")
  for _, use in ipairs({ "call", "list_tools", "info", "connect", "notify", "call_async", "set_roots", "clear_cache", "attach" }) do
    has(raises("closed", client[use], client, "x").message, "the client is closed")
  end
  support.nothing_left(before)
end)

test("close in a callback, a progress function, a handler and a coroutine", function()
  local before = support.holdings()
  local client = mcp.connect(example())
  local rest = client:call_async("slow", { ms = 60000, steps = 1 })
  client:call_async("echo", { text = "x" }, function()
    client:close()
  end)
  raises("closed", rest.wait, rest)
  client = mcp.connect(example())
  local progress = {
    on_progress = function()
      client:close()
    end,
  }
  raises("closed", client.call, client, "slow", { ms = 60000, steps = 10000 }, progress)
  for _, era in ipairs({ "legacy", "modern" }) do
    client = mcp.connect(example({ "--era", era }, {
      on_failure = function() end,
      on_elicitation = function()
        client:close()
        return { answer = "late" }
      end,
    }))
    raises("closed", client.call, client, "ask", { question = "?" })
  end
  local failure
  client = mcp.connect(example())
  mcp.spawn(function()
    local _, why = pcall(client.call, client, "slow", { ms = 60000, steps = 1 })
    failure = why.status
  end)
  client:close()
  equal(failure, "closed")
  client = nil
  support.nothing_left(before)
end)

test("clients are closed in any order", function()
  local before = support.holdings()
  local clients = {}
  for i = 1, 6 do
    clients[i] = mcp.connect(example({ "--era", i % 2 == 0 and "legacy" or "modern" }))
    clients[i]:call_async("slow", { ms = 60000, steps = 1 })
  end
  for _, i in ipairs({ 4, 1, 6, 2, 5, 3 }) do
    clients[i]:close()
    for _, other in ipairs(clients) do
      if other:state() ~= "closed" then
        equal(mcp.text(other:call("echo", { text = "on" })), "on")
      end
    end
  end
  clients = nil
  support.nothing_left(before)
end)

test("a forgotten client is closed by the collector", function()
  local before = support.holdings()
  local pid = pid_of(mcp.client(example()))
  eventually(function()
    collectgarbage()
    return not support.alive(pid)
  end)
  support.nothing_left(before)
end)

test("a program that forgets to close ends and leaves no server", function()
  local program = support.file([[
    local mcp = require("mcp")
    local client = mcp.client({ command = os.getenv("MCP_EXAMPLE_SERVER") })
    print(mcp.text(client:call("pid")))
    client:call_async("slow", { ms = 60000, steps = 1 })
  ]])
  local said, code = support.output(support.luajit .. " " .. program .. " 2>&1")
  os.remove(program)
  equal(code, 0)
  local pid = assert(tonumber(said), said)
  eventually(function()
    return not support.alive(pid)
  end)
end)

test("Ctrl-C ends a wait and an error that is not caught is shown", function()
  local program = support.file(([[
    local mcp = require("mcp")
    local client = mcp.client({ command = %q, args = { %q }, inherit_env = "all" })
    local ok, why = pcall(client.call, client, "interrupt")
    print(ok, why)
    print(mcp.text(client:call("add", { a = 1, b = 2 })))
    client:call("no-such-tool")
  ]]):format(support.luajit, support.folder .. "/tools.lua"))
  local said, code = support.output(support.luajit .. " " .. program .. " 2>&1")
  os.remove(program)
  has(said, "false\t")
  has(said, "interrupted!")
  has(said, '"sum":3')
  has(said, "luajit: there is no tool 'no-such-tool'")
  equal(code, 1)
end)

test("a server that is killed under 1000 calls ends each once", function()
  local client = mcp.connect(example(nil, { reconnect = { initial_ms = 10 }, limits = { in_flight = 1000 } }))
  local pid = pid_of(client)
  local outcomes, sum = {}, 0
  for i = 1, 1000 do
    client:call_async("slow", { ms = 60000, steps = 1 }, function(failure)
      outcomes[i] = (outcomes[i] or 0) + 1
      equal(failure.status, "transport")
      sum = sum + 1
    end)
  end
  support.kill(pid)
  eventually(function()
    return sum == 1000
  end, client)
  for i = 1, 1000 do
    equal(outcomes[i], 1)
  end
  equal(mcp.text(client:call("echo", { text = "back" }, { when_unavailable = "wait" })), "back")
  equal(next(client.pending) == nil, true)
  client:close()
  equal(sum, 1000)
end)

test("calls wait in blocking, in callbacks and in coroutines at once", function()
  local client = mcp.connect(example())
  local called, resumed
  client:call_async("echo", { text = "callback" }, function(_, result)
    called = mcp.text(result)
  end)
  mcp.spawn(function()
    resumed = mcp.text(client:call("echo", { text = "coroutine" }))
  end)
  equal(mcp.text(client:call("slow", { ms = 200, steps = 1 })) ~= nil, true)
  equal({ called, resumed }, { "callback", "coroutine" })
  client:close()
end)

return tests
