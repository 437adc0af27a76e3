--- A server in Lua, called by a client in Lua.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises, eventually = support.equal, support.has, support.raises, support.eventually

local ERAS = { "legacy", "modern" }

--- Runs a function with a client of the server in each era, and the lines that the server wrote to stderr.
local function with(settings, fn)
  for _, era in ipairs(ERAS) do
    local lines = {}
    local given = { stderr = "message", protocol = era, capabilities = settings.capabilities }
    function given.on_line(line)
      lines[#lines + 1] = line
    end
    for key, value in pairs(settings) do
      given[key] = value
    end
    local client = mcp.connect(support.lua("tools.lua", given))
    local ok, why = xpcall(fn, support.traced, client, lines, era)
    client:close()
    if not ok then
      error(era .. ": " .. tostring(why), 0)
    end
  end
end

local function text(client, ...)
  return mcp.text(client:call(...))
end

test("tools of a Lua server give texts, tables and failures", function()
  with({}, function(client, lines)
    local add = client:call("add", { a = 2, b = 3 })
    equal(add.structuredContent, { sum = 5 })
    equal(text(client, "echo", { text = "a\0é☃" }), "a\0é☃")
    equal(client:call("nothing").content, mcp.array())
    local image = { type = "image", data = "aGk=", mimeType = "image/png" }
    local wrapped = { number = 7, truth = false, list = { 1, 2 }, empty = mcp.array() }
    for what, value in pairs(wrapped) do
      equal(client:call("give", { what = what }).structuredContent, { result = value })
    end
    equal(client:call("give", { what = "odd" }).structuredContent, { type = "image" })
    equal(client:call("give", { what = "block" }).content, { image })
    equal(client:call("give", { what = "blocks" }).content, { image, image })
    equal(text(client, "whole"), "one\ntwo")
    local refused = client:call("refuse")
    equal({ refused.isError, mcp.text(refused) }, { true, "no such city" })
    local failure = raises("server", client.call, client, "refuse_by_code")
    equal({ failure.code, failure.data, failure.message:find("not this", 1, true) ~= nil }, { -32602, { n = 7 }, true })
    has(text(client, "add", { a = "x", b = 3 }), "a")
    equal(#lines, 0)
    for _, row in ipairs({
      { "broken", {}, "the disk is gone" },
      { "broken", { table = true }, "table: " },
      { "endless", {}, "stack overflow" },
      { "odd", {}, "result.structuredContent.x is a function" },
    }) do
      local result = client:call(row[1], row[2])
      equal({ result.isError, mcp.text(result) }, { true, "internal error: the tool failed" })
      eventually(function()
        return table.concat(lines, "\n"):find(row[3], 1, true)
      end, client)
      has(table.concat(lines, "\n"), "the handler of tools/call " .. row[1] .. " failed: ")
    end
    has(table.concat(lines, "\n"), "stack traceback:")
    has(table.concat(lines, "\n"), "tools.lua:")
    local lied, lie = pcall(client.call, client, "lies")
    equal(lied and lie.isError or not lied, true)
    eventually(function()
      return table.concat(lines, "\n"):find("tools/call lies", 1, true)
    end, client)
    equal(text(client, "echo", { text = "on" }), "on")
    raises("server", client.call, client, "no-such-tool")
  end)
end)

test("resources, templates, folders, prompts, completions and methods of a Lua server", function()
  with({}, function(client, _, era)
    local function read(uri)
      return client:read_resource(uri).contents[1]
    end
    equal(read("note://fixed").text, "always")
    equal(read("note://bytes").blob, "AP8=")
    equal({ read("note://now").text, read("note://now").mimeType }, { "read note://now", "text/plain" })
    equal(read("user://Ada%20L").text, "user Ada L")
    equal(read("file://a/b").text, "a+b")
    has(read("tests:///run.lua").text, "Runs the tests")
    raises("server", client.read_resource, client, "note://gone")
    raises("server", client.read_resource, client, "note://unknown")
    -- What is beside the URI is the client's, and of any type.
    for _, name in ipairs({ {}, true }) do
      raises("server", client.request, client, "resources/read", { uri = "note://broken", name = name })
    end
    equal(mcp.text(client:get_prompt("greet", { who = "Ada" })), "Greet Ada")
    equal(client:complete({ type = "ref/prompt", name = "greet" }, "who", "A").values, { "Ada", "Alan" })
    local found = client:complete({ type = "ref/resource", uri = "user://{name}" }, "name", "x")
    equal({ #found.values, found.values[1], found.total, found.hasMore }, { 100, "x1name", 150, true })
    if era == "modern" then
      has(raises("server", client.request, client, "com.example/render", { text = "x" }).message, "needs the extension")
    else
      equal(client:request("com.example/render", { text = "x" }).rendered, "x")
    end
  end)
end)

test("a handler reports progress, logs, knows who asks and answers later", function()
  local logs = {}
  local function on_notification(method, params)
    if method == "notifications/message" then
      logs[#logs + 1] = params.data.line
    end
  end
  with({ on_notification = on_notification }, function(client, lines, era)
    local reports = {}
    local sent = text(client, "progress", {}, {
      on_progress = function(report)
        reports[#reports + 1] = report.message
      end,
    })
    equal({ sent, reports }, { "3", { "step 1", "step 2", "step 3" } })
    equal(text(client, "progress"), "0")
    client:set_log_level("error")
    equal(text(client, "log"), "true")
    eventually(function()
      return #logs == 1
    end, client)
    logs = {}
    equal(client:call("who").structuredContent.era, era)
    equal(client:call("info").structuredContent.counters, "table")
    local first, second = client:call_async("hold"), client:call_async("hold")
    -- A call that is answered shows that the two before it were taken.
    equal(text(client, "echo", { text = "x" }), "x")
    second:cancel()
    eventually(function()
      return lines[#lines] == "cancelled true"
    end, client)
    equal(text(client, "release", { text = "late" }), "1")
    equal(mcp.text(first:wait()), "late")
    raises("cancelled", second.wait, second)
  end)
end)

test("a handler asks the client and runs again with the answer", function()
  local settings = {
    on_elicitation = function(params)
      if params.requestedSchema.properties.size then
        return { size = 7 }
      end
      return { colour = "blue" }
    end,
    on_sampling = function()
      return "four"
    end,
    on_roots = function()
      return { "file:///home" }
    end,
  }
  with(settings, function(client)
    equal(text(client, "ask"), "blue 7")
    equal(text(client, "sample"), "four")
    equal(text(client, "roots"), "file:///home")
  end)
  local refuses = {
    on_elicitation = function()
      return false
    end,
  }
  with(refuses, function(client)
    local result = client:call("ask")
    equal({ result.isError, mcp.text(result) }, { true, "decline" })
    equal(pcall(client.call, client, "no-such-tool"), false)
  end)
end)

test("what a Lua server offers changes and its clients are told", function()
  local heard = {}
  local function on_notification(method, params)
    heard[method] = params
  end
  with({ on_notification = on_notification }, function(client)
    heard = {}
    client:subscribe("note://now")
    equal(text(client, "change"), "true false")
    eventually(function()
      return heard["notifications/tools/list_changed"] and heard["notifications/resources/updated"]
    end, client)
    equal(heard["notifications/resources/updated"].uri, "note://now")
    equal(text(client, "new"), "new")
    raises("server", client.call, client, "nothing")
  end)
end)

test("a server is closed in a handler, by its client, and when it is forgotten", function()
  for _, era in ipairs(ERAS) do
    local client = mcp.connect(support.lua("tools.lua", { protocol = era }))
    local pid = client:info().pid
    local ok, why = pcall(client.call, client, "close")
    equal(ok or why.status == "transport" or why.status == "server", true)
    eventually(function()
      return not support.alive(pid)
    end, client)
    client:close()
  end
  local before = support.holdings()
  local server = mcp.server({ name = "x" })
  server:serve("http://127.0.0.1:0/mcp")
  server:close()
  server:close()
  equal(server:poll() == nil, true)
  for _, use in ipairs({ "serve", "info", "fd", "resource_updated", "notify", "log", "add_skills", "run" }) do
    raises("closed", server[use], server, "x")
  end
  mcp.server({ name = "forgotten" }):serve("http://127.0.0.1:0/mcp")
  server = nil
  support.nothing_left(before)
end)

test("one process serves over HTTP and calls itself", function()
  for _, era in ipairs(ERAS) do
    local before = support.holdings()
    local server = mcp.server({ name = "web" })
    server:add_tool({ name = "echo" }, function(given)
      return given.text
    end)
    local late
    server:add_tool({ name = "late" }, function(_, request)
      late = request:defer()
    end)
    local url = server:serve("http://127.0.0.1:0/mcp").url
    local client = mcp.client({ url = url, protocol = era })
    local got = {}
    for i = 1, 50 do
      client:call_async("echo", { text = "n" .. i }, function(failure, result)
        got[#got + 1] = failure and failure.message or mcp.text(result)
      end)
    end
    eventually(function()
      return #got == 50
    end, client, server)
    table.sort(got)
    equal({ got[1], got[50] }, { "n1", "n9" })
    equal(support.readable(server:fd(), 0), false)
    local call = client:call_async("late")
    eventually(function()
      return late
    end, client, server)
    equal(next(server.held) ~= nil, true)
    equal(late:respond({ content = mcp.array() }), true)
    equal(next(server.held) == nil, true)
    eventually(function()
      return call.ended
    end, client, server)
    equal(call:wait().content, mcp.array())
    server:add_tool({ name = "close" }, function()
      server:close()
    end)
    client:call_async("close")
    eventually(function()
      return not server.handle
    end, client, server)
    client:close()
    server:close()
    support.nothing_left(before)
  end
end)

test("what a server is given wrong is refused with a reason", function()
  local server = mcp.server({ name = "x" })
  local function fn() end
  for _, row in ipairs({
    { "add_tool", { name = "t" }, nil, "add_tool: the handler is a function, not a nil" },
    { "add_tool", "t", fn, "add_tool: the definition is a table, not a string" },
    { "add_tool", {}, fn, "name" },
    { "add_tool", { name = "t", inputSchema = { type = "array" } }, fn, "inputSchema" },
    { "add_resource", { name = "r" }, fn, "uri" },
    { "add_prompt", {}, fn, "name" },
    { "add_text", { uri = "a://b", name = "n" }, 7, "add_text: text needs a text, not a number" },
    { "add_blob", { uri = "a://b", name = "n" }, nil, "needs a string of bytes" },
    { "add_folder", { uriTemplate = "a:///{+path}", name = "n" }, "a\0b", "has a NUL at byte 2" },
    { "add_completion", "p", "argument", "what gives the values, unless it is a list, is a function, not a nil" },
    { "serve", "ftp://x", nil, "an endpoint is" },
    { "serve", { url = 7 }, nil, "url" },
    { "remove", "tol", "t", "tol" },
  }) do
    has(raises("invalid_argument", server[row[1]], server, row[2], row[3]).message, row[4])
  end
  has(raises("invalid_argument", server.add_tool, { name = "t" }, fn).message, "call it with a colon, server:add_tool(…)")
  equal(tostring(server), "mcp.Server x")
  has(raises("invalid_argument", mcp.server, { nam = "x" }).message, "name")
  has(raises("invalid_argument", mcp.server, "x").message, "the settings are a table")
  raises("unavailable", server.add_folder, server, { uriTemplate = "a:///{+path}", name = "n" }, "/no/such/folder")
  server:close()
end)

test("a client of a server of the same program needs no process", function()
  local before, failures = support.holdings(), {}
  local server = mcp.server({
    name = "here",
    on_failure = function(what, trace)
      failures[#failures + 1] = what .. ": " .. trace
    end,
  })
  server:add_tool({ name = "double" }, function(given, request)
    request:progress(1, 2)
    return { twice = 2 * given.n }
  end)
  server:add_tool({ name = "ask" }, function(_, request)
    return request:elicit("colour", "Which colour?", { type = "object", properties = { colour = { type = "string" } } }).colour
  end)
  server:add_tool({ name = "broken" }, function()
    error("the disk is gone")
  end)
  for _, era in ipairs(ERAS) do
    local client = mcp.connect(server, {
      protocol = era,
      on_elicitation = function()
        return { colour = "blue" }
      end,
    })
    local progress = 0
    local doubled = client:call("double", { n = 21 }, {
      on_progress = function(report)
        progress = report.progress
      end,
    })
    equal({ doubled.structuredContent.twice, progress }, { 42, 1 })
    equal(client:call_tool("double", { n = 2 }).structuredContent.twice, 4)
    equal(text(client, "ask"), "blue")
    equal(client:call("broken").isError, true)
    has(table.remove(failures), "the disk is gone")
    -- By an event loop it is the same.
    local said
    client:call_async("double", { n = 4 }, function(_, result)
      said = result.structuredContent.twice
    end)
    eventually(function()
      return said
    end, client)
    equal(said, 8)
    client:close()
  end
  -- Either may end first.
  local client = mcp.connect(server)
  server:close()
  equal(pcall(client.call, client, "double", { n = 1 }), false)
  client:close()
  raises("closed", mcp.connect, server)
  support.nothing_left(before)
end)

return tests
