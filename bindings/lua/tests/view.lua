--- The host's side of the page of a tool (MCP Apps).

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises = support.equal, support.has, support.raises

local chart = { name = "chart", inputSchema = { type = "object" } }
local settings = {
  hostInfo = { name = "desk", version = "1" },
  hostCapabilities = { serverTools = {}, openLinks = {} },
  hostContext = { theme = "dark" },
  tool = chart,
  tools = { chart, { name = "secret", _meta = { ui = { visibility = { "model" } } } } },
}

--- The one action that is there, of this type.
local function only(view, kind)
  local all = {}
  for action in view:actions() do
    all[#all + 1] = action
  end
  equal({ #all, all[1] and all[1].type }, { 1, kind })
  return all[1]
end

local function called(id, tool)
  return { jsonrpc = "2.0", id = id, method = "tools/call", params = { name = tool, arguments = {} } }
end

test("a page gets its input and asks its host", function()
  local view = mcp.view(settings)
  view:tell("input", { arguments = { city = "Paris" } })
  equal(view:poll() == nil, true)
  local about = { protocolVersion = "2026-01-26", appInfo = { name = "page", version = "1" }, appCapabilities = {} }
  view:receive(mcp.encode({ jsonrpc = "2.0", id = 1, method = "ui/initialize", params = about }))
  equal(only(view, "message").message.result.hostContext.theme, "dark")
  view:receive({ jsonrpc = "2.0", method = "ui/notifications/initialized" })
  local kinds, city = {}, nil
  for action in view:actions() do
    kinds[action.type] = true
    city = city or (action.message and action.message.params.arguments.city)
  end
  equal({ kinds.ready, city }, { true, "Paris" })
  view:receive(called(2, "chart"))
  local asked = only(view, "request")
  equal({ asked.method, asked.params.name }, { "tools/call", "chart" })
  view:tell("answer", { id = asked.id, result = { content = mcp.array() } })
  equal(only(view, "message").message.result, { content = mcp.array() })
  view:receive(called(3, "secret"))
  equal(only(view, "message").message.error ~= nil, true)
  view:tell("teardown", { reason = "closed" })
  view:receive({ jsonrpc = "2.0", id = only(view, "message").message.id, result = {} })
  only(view, "ended")
  view:close()
end)

test("mistakes with a view name the member", function()
  has(raises("invalid_argument", mcp.view, {}).message, "hostInfo")
  raises("invalid_argument", mcp.view, nil)
  local view = mcp.view(settings)
  has(raises("invalid_argument", view.tell, view, "nothing").message, "nothing")
  has(raises("invalid_argument", view.tell, view, "input", { arguments = 1 }).message, "arguments")
  has(raises("invalid_argument", view.receive, view, "\0").message, "NUL")
  view:close()
  view:close()
  raises("invalid_argument", view.poll, view)
  raises("invalid_argument", view.receive, view, "{}")
  raises("invalid_argument", view.tell, view, "resources-changed")
end)

test("the policy of a frame", function()
  local policy = mcp.view_policy({ csp = { connectDomains = { "https://api.example", "javascript:x" } }, permissions = { camera = {} } })
  has(policy.csp, "https://api.example")
  equal({ policy.allow, #policy.refused }, { "camera", 1 })
  policy = mcp.view_policy()
  has(policy.csp, "default-src")
  has(policy.head, policy.csp)
end)

return tests
