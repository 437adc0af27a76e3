--- What a server asks and tells a client.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises, eventually = support.equal, support.has, support.raises, support.eventually
local example, scripted = support.example, support.scripted

local ERAS = { "legacy", "modern" }

local function with(settings, fn)
  local client = mcp.client(settings)
  local ok, why = xpcall(fn, support.traced, client)
  client:close()
  if not ok then
    error(why, 0)
  end
end

local function ask(client)
  return mcp.text(client:call("ask", { question = "Colour?" }))
end

test("a question of the server is answered in both eras", function()
  for _, era in ipairs(ERAS) do
    local asked
    local function on_elicitation(params, request)
      asked = { params.message, request.method }
      return { answer = "blue" }
    end
    with(example({ "--era", era }, { on_elicitation = on_elicitation }), function(client)
      equal(ask(client), "blue")
      equal(asked, { "Colour?", "elicitation/create" })
    end)
  end
end)

test("a form is completed and checked, declined, cancelled, or answered later", function()
  local later
  for _, era in ipairs(ERAS) do
    for says, handler in pairs({
      blue = function(_, request)
        raises("invalid_argument", request.accept, request, { answer = 7 })
        request:accept({ answer = "blue" })
        raises("invalid_argument", request.accept, request, { answer = "twice" })
      end,
      ["No answer: decline"] = function()
        return false
      end,
      ["No answer: cancel"] = function()
        return nil
      end,
      green = function(_, request)
        later = request:defer()
        return { answer = "what a handler that defers gives is no answer" }
      end,
    }) do
      with(example({ "--era", era }, { on_elicitation = handler }), function(client)
        local got
        client:call_async("ask", { question = "Colour?" }, function(failure, result)
          got = failure and failure.message or mcp.text(result)
        end)
        if says == "green" then
          eventually(function()
            return later
          end, client)
          equal(got == nil, true)
          later:accept({ answer = "green" })
          later = nil
        end
        eventually(function()
          return got
        end, client)
        equal(got, says)
      end)
    end
  end
end)

test("a request that is not answered is refused", function()
  local told = {}
  local function on_failure(what, trace)
    told[#told + 1] = what .. "|" .. trace
  end
  local arguments = { method = "sampling/createMessage", wait_ms = 20000 }
  local function bad()
    return 7
  end
  local function deep()
    return deep() + 1
  end
  for _, row in ipairs({
    {
      function()
        return nil, "no"
      end,
      '"code":-1',
    },
    {
      function()
        return nil, { code = -32001, message = "busy", data = { n = 1 } }
      end,
      "busy",
    },
    {
      function()
        error("the model is gone")
      end,
      "internal error: the handler failed",
    },
    { bad, "internal error: the handler failed" },
    { deep, "internal error: the handler failed" },
    {
      function()
        return { role = "assistant", x = print }
      end,
      "internal error: the handler failed",
    },
    {
      function(_, request)
        request:defer()
        request:free()
      end,
      "error",
    },
  }) do
    with(scripted(nil, { on_sampling = row[1], on_failure = on_failure }), function(client)
      has(mcp.text(client:call("ask_forever", arguments)), row[2])
    end)
  end
  equal(#told, 4)
  has(told[1], "on_sampling|")
  has(told[1], "the model is gone")
  has(told[1], "tests/handlers.lua")
  has(told[2], "the result is a table, not a number")
  has(told[3], "stack overflow")
  has(told[4], "result.x is a function")
end)

test("sampling and roots have handlers and other requests one for all", function()
  local settings = {
    on_sampling = function()
      return "four"
    end,
    on_roots = function()
      return { "file:///one", { uri = "file:///two", name = "second" } }
    end,
  }
  with(scripted(nil, settings), function(client)
    local said = mcp.text(client:call("ask_forever", { method = "sampling/createMessage", wait_ms = 20000 }))
    has(said, "four")
    said = mcp.text(client:call("ask_forever", { method = "roots/list", wait_ms = 20000 }))
    has(said, "file:///one")
    has(said, "second")
  end)
  with(scripted(nil, { roots = { "file:///a" } }), function(client)
    has(mcp.text(client:call("ask_forever", { method = "roots/list", wait_ms = 20000 })), "file:///a")
    client:set_roots({ "file:///b" })
    has(mcp.text(client:call("ask_forever", { method = "roots/list", wait_ms = 20000 })), "file:///b")
    raises("invalid_argument", client.set_roots, client, { "http://example.com" })
  end)
  local function on_request(params, request)
    return request.method == "sampling/createMessage" and type(params) == "table" and { any = true }
  end
  with(scripted(nil, { capabilities = { sampling = {} }, on_request = on_request }), function(client)
    has(mcp.text(client:call("ask_forever", { method = "sampling/createMessage", wait_ms = 20000 })), "any")
  end)
end)

test("a program may call in a handler", function()
  local client
  local function on_elicitation()
    return { answer = mcp.text(client:call("echo", { text = "inner" })) }
  end
  for _, era in ipairs(ERAS) do
    client = mcp.connect(example({ "--era", era }, { on_elicitation = on_elicitation }))
    equal(ask(client), "inner")
    client:close()
  end
end)

test("notifications come in order and a failing handler ends nothing", function()
  local heard, told = {}, 0
  local function on_notification(method, params)
    heard[#heard + 1] = { method, params }
    if #heard == 1 then
      error("once")
    end
  end
  local function on_failure()
    told = told + 1
    error("this one fails, too")
  end
  local loop = require("mcp.loop")
  local tell, said = loop.tell, {}
  loop.tell = function(what, trace)
    said[#said + 1] = what .. trace
  end
  with(example({ "--era", "legacy" }, { on_notification = on_notification, on_failure = on_failure }), function(client)
    client:call("notify", { count = 50, changes = true })
    eventually(function()
      return #heard >= 51
    end, client)
  end)
  loop.tell = tell
  for i = 1, 50 do
    equal(heard[i][1], "notifications/message")
  end
  has(heard[51][1], "list_changed")
  equal(told, 1)
  has(said[1], "this one fails, too")
  has(said[2], "once")
end)

test("a handler that waits gets the next notification afterwards, and what was lost is told", function()
  local client, heard, inside, lost = nil, 0, 0, 0
  local settings = {
    on_notification = function()
      heard = heard + 1
      equal(inside, 0)
      inside = 1
      if heard == 1 then
        -- While this waits, the server sends more than may wait.
        client:call("notify", { count = 3000, changes = false })
        equal(mcp.text(client:call("echo", { text = "prompt" })), "prompt")
      end
      inside = 0
    end,
    on_lost = function(count)
      lost = lost + count
    end,
  }
  client = mcp.connect(example({ "--era", "legacy" }, settings))
  client:call("notify", { count = 1, changes = false })
  eventually(function()
    return heard + lost >= 3001
  end, client)
  equal(lost > 1000, true)
  client:close()
end)

test("lines of standard error and states come to their handlers", function()
  local lines, states = {}, {}
  local settings = {
    on_line = function(line)
      lines[#lines + 1] = line
    end,
    on_state = function(change)
      states[#states + 1] = change.state
    end,
  }
  with(scripted({ "stderr-at-start=3" }, settings), function(client)
    client:connect()
    eventually(function()
      return #lines == 3
    end, client)
  end)
  equal(states[1], "starting")
  equal(states[#states], "closed")
end)

test("a task tells its states and has one outcome", function()
  with(support.lua("tools.lua", { tasks = {} }), function(client)
    local states = {}
    local result = client:call("job", { steps = 3 }, {
      on_task = function(task)
        states[#states + 1] = task.status
      end,
    })
    equal(mcp.text(result), "3 steps done")
    equal(#states > 0, true)
    raises("server", client.get_task, client, "no-such-task")
  end)
end)

return tests
