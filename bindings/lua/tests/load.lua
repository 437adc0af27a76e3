--- Many calls and many clients.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, eventually = support.equal, support.eventually

test("1000 calls at once each get their own answer", function()
  for _, era in ipairs({ "legacy", "modern" }) do
    local client = mcp.connect(support.example({ "--era", era }))
    local calls = {}
    for i = 1, 1000 do
      calls[i] = client:call_async("echo", { text = "text " .. i })
    end
    for i = 1000, 1, -1 do
      equal(mcp.text(calls[i]:wait()), "text " .. i)
    end
    equal(next(client.pending) == nil, true)
    client:close()
  end
end)

test("1000 calls of a Lua server at once", function()
  local client = mcp.connect(support.lua("tools.lua"))
  local sum = 0
  for i = 1, 1000 do
    client:call_async("add", { a = i, b = 1 }, function(_, result)
      sum = sum + result.structuredContent.sum
    end)
  end
  eventually(function()
    return sum == 501500
  end, client)
  client:close()
end)

test("1000 clients and servers that are closed or forgotten leave nothing behind", function()
  local server = mcp.server({ name = "web" })
  server:add_tool({ name = "echo" }, function(given)
    return given.text
  end)
  local url = server:serve("http://127.0.0.1:0/mcp").url
  local before = support.holdings()
  for i = 1, 1000 do
    local client = mcp.client({ url = url, protocol = "modern" })
    local more = i % 10 == 0 and mcp.server({ name = "more" })
    if i % 4 == 0 then
      local got
      client:call_async("echo", { text = "x" }, function(failure, result)
        got = failure and failure.message or mcp.text(result)
      end)
      eventually(function()
        return got
      end, client, server)
      equal(got, "x")
    end
    -- Every third is left to the collector.
    if i % 3 > 0 then
      client:close()
      if more then
        more:close()
      end
    end
    if i % 50 == 0 then
      collectgarbage()
    end
  end
  support.nothing_left({ fds = before.fds + 2, threads = before.threads + 2, children = before.children })
  server:close()
end)

test("100 clients with processes leave nothing behind", function()
  local before = support.holdings()
  for i = 1, 100 do
    local client = mcp.connect(support.example({ "--era", "legacy" }, { protocol = "legacy" }))
    equal(mcp.text(client:call("echo", { text = "x" })), "x")
    if i % 5 > 0 then
      client:close()
    end
  end
  support.nothing_left(before)
end)

test("memory is flat over many calls", function()
  local client = mcp.connect(support.example())
  local function calls(count)
    for i = 1, count do
      client:call("echo", { text = "text " .. i })
    end
    collectgarbage()
    collectgarbage()
    return collectgarbage("count")
  end
  calls(2000)
  local first = calls(2000)
  local second = calls(6000)
  equal(second - first < 64, true)
  client:close()
end)

return tests
