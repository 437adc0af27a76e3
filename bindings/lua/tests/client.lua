--- Calls.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises, eventually = support.equal, support.has, support.raises, support.eventually
local example, scripted = support.example, support.scripted

local ERAS = { "legacy", "modern" }

--- Runs a function with a client that is closed afterwards.
local function with(settings, fn)
  local client = mcp.client(settings)
  local ok, why = xpcall(fn, support.traced, client)
  client:close()
  if not ok then
    error(why, 0)
  end
end

test("a tool is listed and called in both eras", function()
  for _, era in ipairs(ERAS) do
    with(example({ "--era", era }), function(client)
      local tools = client:list_tools()
      equal({ tools[1].name, tools[2].name }, { "echo", "add" })
      equal(mcp.text(client:call("echo", { text = "grüße\n☃" })), "grüße\n☃")
      equal(client:call("add", { a = 2, b = 3 }).structuredContent, { sum = 5 })
      equal({ client:info().era, client:state() }, { era, "ready" })
    end)
  end
end)

test("every feature has a method", function()
  for _, era in ipairs(ERAS) do
    with(example({ "--era", era }), function(client)
      equal(#client:list_resources(), 2)
      equal(client:read_resource("demo://greeting").contents[1].text, "Hello, world!")
      equal(client:list_resource_templates()[1].uriTemplate, "demo://greeting/{name}")
      equal(client:list_prompts()[1].name, "greet")
      has(mcp.text(client:get_prompt("greet", { name = "Ada" })), "Ada")
      local ref = { type = "ref/prompt", name = "greet" }
      equal(client:complete(ref, "name", "a").values, { "Ada", "Alan" })
      equal(client:complete(ref, "name", "a", { other = "x" }).values, { "Ada", "Alan" })
      client:set_log_level("error")
      client:ping()
      client:clear_cache()
      equal(#client:request("tools/list", {}).tools, 10)
      client:subscribe("demo://greeting")
      client:unsubscribe("demo://greeting")
    end)
  end
end)

test("a list comes whole over all its pages or page by page", function()
  with(example({ "--page-size", "3" }), function(client)
    equal(#client:list_tools(), 10)
    local page, cursor = client:list_tools({ one_page = true })
    equal(#page, 3)
    local second = client:list_tools({ cursor = cursor })
    equal({ #second, second[1].name ~= page[1].name }, { 3, true })
  end)
  with(example({ "--page-size", "3" }, { limits = { list_pages = 2 } }), function(client)
    raises("too_large", client.list_tools, client)
  end)
end)

test("a feature that the server lacks is unsupported", function()
  with(scripted(), function(client)
    raises("unsupported", client.list_prompts, client)
  end)
end)

test("an error of the server keeps its code and a failed tool is a result", function()
  with(example(), function(client)
    local failure = raises("server", client.call, client, "no-such-tool")
    equal({ failure.code, failure.operation, failure.retryable }, { -32602, "tools/call", false })
    has(tostring(failure), "no-such-tool")
    equal(failure.details.sent, true)
    local result = client:call("fail")
    equal(result.isError, true)
    has(mcp.text(result), "always fails")
  end)
end)

test("a call ends at its timeout", function()
  with(scripted(), function(client)
    client:connect()
    local failure = raises("timeout", client.call, client, "hang", nil, { timeout = 0.05 })
    equal(failure.details.sent, true)
    has(failure.message, "raise timeout for this call")
    equal(mcp.text(client:call("echo", { text = "on" })), "on")
  end)
end)

test("progress comes before the result", function()
  with(example(), function(client)
    local reports = {}
    client:call("slow", { ms = 60, steps = 6 }, {
      on_progress = function(report)
        reports[#reports + 1] = report.progress
      end,
    })
    equal(reports, { 1, 2, 3, 4, 5, 6 })
  end)
end)

test("options reach the server and an unknown one is refused", function()
  with(scripted(), function(client)
    local trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    client:call("echo", { text = "x" }, { traceparent = trace, meta = { ["com.example/n"] = 7 }, retry = "safe" })
    local lines = mcp.text(client:call("received", { lines = true }))
    has(lines, trace)
    has(lines, "com.example/n")
    has(raises("invalid_argument", client.call, client, "echo", {}, { retri = "safe" }).message, "retry")
    raises("invalid_argument", client.call, client, "echo", {}, { timeout = "soon" })
    raises("invalid_argument", client.call, client, "echo", {}, { timeout = -1 })
    raises("invalid_argument", client.call, client, "echo", {}, { timeout = 0 / 0 })
    equal(mcp.text(client:call("echo", { text = "in" }, { timeout = math.huge })), "in")
    raises("invalid_argument", client.call, client, "echo", {}, 7)
  end)
end)

test("wrong arguments are refused with a reason", function()
  with(example(), function(client)
    for _, row in ipairs({
      { "call", "ec\0ho", nil, "call: name has a NUL at byte 3" },
      { "call", "\255", nil, "call: name has the byte 0xff at 1, which is not UTF-8" },
      { "call", 7, nil, "call: name needs a text, not a number" },
      { "call", nil, nil, "call: name needs a text, not a nil" },
      { "call", "echo", { text = print }, "arguments.text is a function" },
      { "call", "echo", { 1 }, "object" },
      { "call", "echo", "text", "object" },
      { "request", "tools/call", { 1 }, "object" },
      { "read_resource", {}, nil, "read_resource: uri needs a text, not a table" },
    }) do
      has(raises("invalid_argument", client[row[1]], client, row[2], row[3]).message, row[4])
    end
    equal(mcp.text(client:call("echo", { text = "a\0b" })), "a\0b")
    has(raises("invalid_argument", client.call, client, "echo", {}, { timout = 5 }).message, "did you mean 'timeout'?")
    has(raises("invalid_argument", client.call, client, "echo", {}, { on_progress = 5 }).message, "on_progress is a function, not a number")
    has(raises("invalid_argument", client.call, "echo", { text = "x" }).message, "call it with a colon, client:call(…)")
    local failure = raises("server", client.call, client, "no-such-tool")
    equal("it failed: " .. failure, "it failed: " .. failure.message)
    equal(tostring(client), "mcp.Client, ready")
  end)
  for _, row in ipairs({
    { { comand = "x" }, "command" },
    { { command = 7 }, "command" },
    { "npx", "the settings are a table, not a string" },
    { { command = "x", on_notifcation = print }, "there is no handler on_notifcation; there are on_elicitation" },
    { { command = "x", on_state = 7 }, "on_state is a function, not a number" },
    { { command = "x\0" }, "command" },
  }) do
    has(raises("invalid_argument", mcp.client, row[1]).message, row[2])
  end
end)

test("a call is cancelled and the server is told", function()
  with(example(), function(client)
    local call = client:call_async("slow", { ms = 60000, steps = 10000 })
    eventually(function()
      return client:info().pending_calls == 1
    end, client)
    equal(call:cancel("no longer needed"), true)
    raises("cancelled", call.wait, call)
    equal(call:cancel(), false)
    eventually(function()
      return client:info().counters.cancelled == 1
    end, client)
    equal(mcp.text(client:call("echo", { text = "on" })), "on")
  end)
end)

test("a cancellation that races an answer has one outcome", function()
  with(example(), function(client)
    local outcomes, cancelled = 0, 0
    for i = 1, 200 do
      local call = client:call_async("echo", { text = "x" }, function(failure)
        outcomes = outcomes + 1
        if failure then
          equal(failure.status, "cancelled")
          cancelled = cancelled + 1
        end
      end)
      if i % 2 == 0 then
        client:poll(0)
      end
      call:cancel()
    end
    eventually(function()
      return outcomes == 200
    end, client)
    equal(cancelled > 0, true)
  end)
end)

test("callbacks get the outcome and a failing one is told", function()
  local told = {}
  local function on_failure(what, trace)
    told[#told + 1] = what .. "|" .. trace
  end
  with(example(nil, { on_failure = on_failure }), function(client)
    local got = {}
    client:call_async("echo", { text = "x" }, function()
      error("my mistake")
    end)
    client:call_async("echo", { text = "y" }, { timeout = 20 }, function(failure, result)
      got.echo = { failure == nil, mcp.text(result) }
    end)
    client:call_async("no-such-tool", function(failure, result)
      got.failed = { failure.status, result == nil }
    end)
    client:list_tools_async(function(_, tools)
      got.tools = #tools
    end)
    client:connect_async(function(failure)
      got.connected = failure == nil
    end)
    eventually(function()
      return got.echo and got.failed and got.tools and got.connected
    end, client)
    equal(got, { echo = { true, "y" }, failed = { "server", true }, tools = 10, connected = true })
    equal(#told, 1)
    has(told[1], "the callback of call|")
    has(told[1], "my mistake")
    has(told[1], "tests/client.lua")
  end)
end)

test("calls in coroutines wait by yielding", function()
  with(example(), function(client)
    local order, ended = {}, 0
    for i = 1, 3 do
      mcp.spawn(function()
        client:call("slow", { ms = 30 * (4 - i), steps = 1 })
        order[#order + 1] = i
        local ok, why = pcall(client.call, client, "no-such-tool")
        equal({ ok, why.status }, { false, "server" })
        equal(mcp.text(client:call("echo", { text = "in " .. i })), "in " .. i)
        ended = ended + 1
      end)
    end
    equal(ended, 0)
    eventually(function()
      return ended == 3
    end, client)
    equal(#order, 3)
    -- Several may wait for one call.
    local call, woken = client:call_async("slow", { ms = 30, steps = 1 }), 0
    for _ = 1, 2 do
      mcp.spawn(function()
        call:wait()
        woken = woken + 1
      end)
    end
    eventually(function()
      return woken == 2
    end, client)
  end)
end)

test("an event loop waits for the descriptor", function()
  with(example(), function(client)
    client:connect()
    local fd, got = client:fd(), nil
    equal(client:fd(), fd)
    client:call_async("slow", { ms = 50, steps = 2 }, function(_, result)
      got = result
    end)
    local turns = 0
    while not got do
      equal(support.readable(fd, support.PATIENCE), true)
      client:poll()
      turns = turns + 1
      equal(turns < 1000, true)
    end
    equal(client:poll(0.001), 0)
    client:close()
    equal(client:poll(), nil)
    raises("closed", client.fd, client)
  end)
end)

test("a file with mcpServers is read", function()
  local server = example()
  local file = support.file(mcp.encode({
    mcpServers = { one = { command = server.command, args = { "--era", "legacy" } }, two = { command = "x", disabled = true } },
  }))
  local names = {}
  for _, one in ipairs(mcp.servers(file)) do
    names[one.name] = one.disabled
  end
  equal(names, { one = false, two = true })
  with({ config = file, server = "one", name = "mine" }, function(client)
    equal(client:connect():info().era, "legacy")
  end)
  has(raises("invalid_argument", mcp.client, { config = file, server = "three" }).message, "three")
  raises("unavailable", mcp.client, { config = file, server = "two" })
  os.remove(file)
  raises("invalid_argument", mcp.servers, file)
end)

test("the text of results is joined", function()
  equal(mcp.text({ content = { { type = "text", text = "a" }, { type = "image", data = "" }, { type = "text", text = "b" } } }), "a\nb")
  equal(mcp.text({ contents = { { uri = "x", text = "c" } } }), "c")
  equal(mcp.text({ messages = { { role = "user", content = { type = "text", text = "d" } } } }), "d")
  equal(mcp.text({ content = { { type = "resource", resource = { uri = "x", text = "e" } } } }), "e")
  equal(mcp.text({ content = {} }) == nil, true)
end)

return tests
