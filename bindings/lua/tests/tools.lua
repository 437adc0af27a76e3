--- A server in Lua that the tests start: everything that a server has.

local ffi = require("ffi")
local mcp = require("mcp")

ffi.cdef("int getppid(void); int kill(int pid, int signal);")

local server = mcp.server({
  name = "tools",
  version = "1.0",
  announce = { logging = true },
  on_notification = function(method)
    io.stderr:write("told ", method, "\n")
  end,
})

local numbers = { a = { type = "number" }, b = { type = "number" } }
local schema = { type = "object", properties = numbers, required = { "a", "b" } }

server:add_tool({ name = "add", description = "Adds", inputSchema = schema }, function(given)
  return { sum = given.a + given.b }
end)
server:add_tool({ name = "echo" }, function(given)
  return given.text
end)
server:add_tool({ name = "nothing" }, function() end)
local image = { type = "image", data = "aGk=", mimeType = "image/png" }
local given = { number = 7, truth = false, list = { 1, 2 }, empty = mcp.array(), odd = { type = "image" }, block = image, blocks = { image, image } }
server:add_tool({ name = "give" }, function(asked)
  return given[asked.what]
end)
server:add_tool({ name = "whole" }, function()
  return { content = { { type = "text", text = "one" }, { type = "text", text = "two" } }, isError = false }
end)
server:add_tool({ name = "refuse" }, function()
  return nil, "no such city"
end)
server:add_tool({ name = "refuse_by_code" }, function()
  return nil, { code = -32602, message = "not this", data = { n = 7 } }
end)
server:add_tool({ name = "broken" }, function(given)
  error(given.table and {} or "the disk is gone")
end)
server:add_tool({ name = "endless" }, function()
  local function deep()
    return deep() + 1
  end
  return deep()
end)
server:add_tool({ name = "odd" }, function()
  return { x = print }
end)
local sum = { type = "object", properties = { sum = { type = "number" } }, required = { "sum" } }
server:add_tool({ name = "lies", outputSchema = sum }, function()
  return { sum = "not a number" }
end)
server:add_tool({ name = "progress" }, function(_, request)
  local sent = 0
  for i = 1, 3 do
    sent = sent + (request:progress(i, 3, "step " .. i) and 1 or 0)
  end
  return tostring(sent)
end)
server:add_tool({ name = "log" }, function(_, request)
  return tostring(request:log("error", { line = 1 }, "tools"))
end)
server:add_tool({ name = "interrupt" }, function(_, request)
  request:defer()
  ffi.C.kill(ffi.C.getppid(), 2)
end)

-- Answered later, by another call, or never when it is cancelled.
local held = {}
server:add_tool({ name = "hold" }, function(_, request)
  held[#held + 1] = request:defer()
  request.on_cancel = function(one)
    io.stderr:write("cancelled ", tostring(one:cancelled()), "\n")
  end
end)
server:add_tool({ name = "release" }, function(given)
  local wanted = 0
  for _, request in ipairs(held) do
    wanted = wanted + (request:respond({ content = { { type = "text", text = given.text } } }) and 1 or 0)
  end
  held = {}
  return tostring(wanted)
end)

local colour = { type = "object", properties = { colour = { type = "string" } }, required = { "colour" } }
server:add_tool({ name = "ask" }, function(_, request)
  local content, action = request:elicit("colour", "Which colour?", colour)
  if not content then
    return nil, action
  end
  request:keep((request:state() or "") .. content.colour)
  -- A program that catches everything catches the way out, too.
  pcall(request.elicit, request, "size", "Which size of " .. request:state() .. "?", {
    type = "object",
    properties = { size = { type = "integer" } },
  })
  local size = request:elicit("size", "Which size?", { type = "object", properties = { size = { type = "integer" } } })
  return content.colour .. " " .. size.size
end)
server:add_tool({ name = "sample" }, function(_, request)
  local message = { role = "user", content = { type = "text", text = "2+2" } }
  return request:sample("q", { messages = { message }, maxTokens = 9 }).content.text
end)
server:add_tool({ name = "roots" }, function(_, request)
  return request:roots("r")[1].uri
end)
server:add_tool({ name = "who" }, function(_, request)
  return request:context()
end)
server:add_tool({ name = "job", execution = { taskSupport = "required" } }, function(given, request)
  request:start_task({ status_message = "working" })
  return given.steps .. " steps done"
end)
server:add_tool({ name = "change" }, function()
  server:add_tool({ name = "new" }, function()
    return "new"
  end)
  local removed, twice = server:remove("tool", "nothing"), server:remove("tool", "nothing")
  server:resource_updated("note://now")
  return tostring(removed) .. " " .. tostring(twice)
end)
server:add_tool({ name = "info" }, function()
  return { counters = type(server:info().counters) }
end)
server:add_tool({ name = "close" }, function()
  server:close()
  return "closed"
end)

server:add_text({ uri = "note://fixed", name = "fixed" }, "always")
server:add_blob({ uri = "note://bytes", name = "bytes" }, "\0\255")
server:add_resource({ uri = "note://now", name = "now", mimeType = "text/plain" }, function(uri)
  return "read " .. uri
end)
server:add_resource({ uri = "note://gone", name = "gone" }, function() end)
server:add_resource({ uri = "note://broken", name = "broken" }, function()
  error("the disk is gone")
end)
server:add_resource_template({ uriTemplate = "user://{name}", name = "user" }, function(variables, request)
  return { contents = { { uri = request.params.uri, text = "user " .. variables.name } } }
end)
server:add_resource_template({ uriTemplate = "file://{name}/{part}", name = "parts" }, function(variables)
  return variables.name .. "+" .. variables.part
end)
server:add_folder({ uriTemplate = "tests:///{+path}", name = "tests" }, (arg[0]:match("^(.*)/[^/]*$")))
server:add_prompt({ name = "greet", arguments = { { name = "who", required = true } } }, function(given)
  return "Greet " .. given.who
end)
server:add_completion("greet", "who", { "Ada", "Alan", "Grace" })
server:add_completion("user://{name}", "name", function(value, request)
  local all = {}
  for i = 1, 150 do
    all[i] = value .. i .. request.params.argument.name
  end
  return all
end)
server:add_method("com.example/render", function(params)
  return params.none and {} or { rendered = params.text }
end, "com.example/render")

server:run(arg[1])
