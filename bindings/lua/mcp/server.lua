--- A server: what this program offers to clients.

local ffi = require("ffi")
local json = require("mcp.json")
local loop = require("mcp.loop")
local native = require("mcp.native")
local requests = require("mcp.request")

local lib, kinds, topics = native.lib, native.abi.kind, native.abi.topic

local M = {}

local Server = { __name = "mcp.Server", noun = "server" }
Server.__index = Server

function Server:__tostring()
  return ("mcp.Server %s%s"):format(self.name, self.handle and "" or ", closed")
end

--- The functions of the program.
local HANDLERS = { on_notification = true, on_failure = true }

--- How many values of a completion the specification allows.
local COMPLETIONS = 100

--- A server of the keys of docs/reference/server-configuration.md. It serves nothing: add what it offers, then call `run` or `serve`.
function M.new(given)
  if type(given) ~= "table" then
    native.refuse("server", "the settings are a table, not a " .. type(given))
  end
  local config, self = {}, {}
  for name, value in pairs(given) do
    if not HANDLERS[name] then
      config[name] = value
    else
      self[name] = native.func(value, "server", name)
    end
  end
  local _, handle = native.call_out("server", "mcp_server_t *[1]", "mcp_server_new", native.encode(config, "config"), nil)
  self.handle, self.name = ffi.gc(handle, lib.mcp_server_free), config.name
  self.entries, self.templates, self.held, self.count = {}, {}, {}, 0
  loop.init(self, "mcp_server_poll", "mcp_server_fd", M.dispatch)
  return setmetatable(self, Server)
end

--- Whether a value is a server.
function M.is(value)
  return getmetatable(value) == Server
end

-- What it offers -----------------------------------------------------------------------------------------------------------------

local function function_of(self, handler, what)
  if getmetatable(self) ~= Server then
    native.refuse(what, "it is a method of a server: call it with a colon, server:" .. what .. "(…)")
  end
  return native.func(handler, what, "the handler")
end

local function definition_of(definition, what)
  if type(definition) ~= "table" then
    native.refuse(what, "the definition is a table, not a " .. type(definition))
  end
  return definition
end

local function add(self, what, definition, ...)
  local name = "mcp_server_" .. what
  native.call(what, name, loop.open(self, what), native.encode(definition_of(definition, what), "definition"), ...)
end

--- Adds a tool: `definition` is a Tool of the specification, with `name`, `description` and `inputSchema` (without it, any object).
-- `handler(arguments, request)` gives a text, a table with `content` or `structuredContent`, or another table, which then is the
-- structured content; or nil and why the tool failed, for the model.
function Server:add_tool(definition, handler)
  function_of(self, handler, "add_tool")
  local whole = { inputSchema = { type = "object" } }
  for key, value in pairs(definition_of(definition, "add_tool")) do
    whole[key] = value
  end
  add(self, "add_tool", whole, nil, nil, nil)
  self.entries["tools/call " .. whole.name] = { handler = handler }
end

--- Adds a resource: `handler(uri, request)` gives its text, or a table with `contents`; nil for a resource that is not there.
function Server:add_resource(definition, handler)
  function_of(self, handler, "add_resource")
  add(self, "add_resource", definition, nil, nil, nil)
  self.entries["resources/read " .. definition.uri] = { handler = handler, mime_type = definition.mimeType }
end

--- Adds a template of resources: `handler(variables, request)` gives what that of a resource gives.
function Server:add_resource_template(definition, handler)
  function_of(self, handler, "add_resource_template")
  add(self, "add_resource_template", definition, nil, nil, nil)
  self.templates[definition.uriTemplate] = { handler = handler, mime_type = definition.mimeType }
end

--- Adds a prompt: `handler(arguments, request)` gives the text of the user, or a table with `messages`.
function Server:add_prompt(definition, handler)
  function_of(self, handler, "add_prompt")
  add(self, "add_prompt", definition, nil, nil, nil)
  self.entries["prompts/get " .. definition.name] = { handler = handler }
end

--- Adds a text that is always the same.
function Server:add_text(definition, text)
  add(self, "add_text", definition, native.text(text, "add_text: text"))
end

--- Adds bytes that are always the same.
function Server:add_blob(definition, data)
  if type(data) ~= "string" then
    native.refuse("add_blob", "needs a string of bytes, not a " .. type(data))
  end
  add(self, "add_blob", definition, data, #data)
end

--- Adds the files below a folder: the template has the variable path, as "docs:///{+path}".
function Server:add_folder(definition, folder)
  add(self, "add_folder", definition, native.text(folder, "add_folder: folder"))
end

--- Adds the skills below a folder (docs/guide/skills.md).
function Server:add_skills(folder, options)
  local handle = loop.open(self, "add_skills")
  native.call("add_skills", "mcp_server_add_skills", handle, native.text(folder, "add_skills: folder"), native.encode(options, "options"))
end

--- Completes an argument of a prompt (by its name) or of a template (by its URI template): `values` are texts, or a function
-- `handler(value, request)` that gives them.
function Server:add_completion(reference, argument, values)
  local handle = loop.open(self, "add_completion")
  reference, argument = native.text(reference, "add_completion: reference"), native.text(argument, "add_completion: argument")
  local handler = type(values) ~= "table" and native.func(values, "add_completion", "what gives the values, unless it is a list,") or nil
  local fixed = not handler and native.encode(json.array(values), "values") or nil
  native.call("add_completion", "mcp_server_add_completion", handle, reference, argument, fixed, nil, nil, nil)
  if handler then
    self.entries["completion/complete " .. reference .. " " .. argument] = { handler = handler }
  end
end

--- Adds a method of an extension: `handler(params, request)` gives the result, a table. The server announces `capability`, if there is
-- one, with `settings`.
function Server:add_method(method, handler, capability, settings)
  function_of(self, handler, "add_method")
  local handle = loop.open(self, "add_method")
  capability = capability and native.text(capability, "capability")
  settings = native.encode(settings, "settings")
  native.call("add_method", "mcp_server_add_method", handle, native.text(method, "method"), capability, settings, nil, nil, nil)
  self.entries[method .. " "] = { handler = handler }
end

local REMOVED = { tool = "tools/call ", resource = "resources/read ", prompt = "prompts/get " }

--- Removes a "tool", "resource", "template", "prompt" or "skills". False if there is none of that name.
function Server:remove(kind, name)
  local handle = loop.open(self, "remove")
  local given = native.call("remove", "mcp_server_remove", handle, native.text(kind, "kind"), native.text(name, "name"))
  if kind == "template" then
    self.templates[name] = nil
  elseif REMOVED[kind] then
    self.entries[REMOVED[kind] .. name] = nil
  end
  return given == native.status.ok
end

-- Serving ------------------------------------------------------------------------------------------------------------------------

local function endpoint_of(endpoint)
  if type(endpoint) == "table" then
    return endpoint
  elseif endpoint == "stdio" then
    return { stdio = true }
  elseif type(endpoint) == "string" and endpoint:find("^https?://") then
    return { url = endpoint }
  elseif type(endpoint) == "string" and (endpoint:find("^unix:") or endpoint:find("^tcp:")) then
    return { socket = endpoint }
  end
  native.refuse(
    "serve",
    'an endpoint is "stdio", "http://HOST:PORT/PATH", "unix:PATH", "tcp:HOST:PORT" or a table (docs/guide/serving.md), not ' .. tostring(endpoint)
  )
end

--- Begins to serve, beside what is served already; gives where, with the port that the system chose. `run` or `poll` runs the handlers.
function Server:serve(endpoint)
  local handle = loop.open(self, "serve")
  local text = native.encode(endpoint_of(endpoint), "endpoint")
  local _, bound = native.call_out("serve", "char *[1]", "mcp_server_serve", handle, text)
  self.is_serving = true
  return native.decode(native.owned(bound))
end

--- Serves until all that is served has ended, then closes: the standard streams, unless there is an endpoint or `serve` was called.
function Server:run(endpoint)
  if endpoint or not self.is_serving then
    self:serve(endpoint or "stdio")
  end
  repeat
    local taken = loop.take(self, loop.SLICE)
  until taken == nil
  self:close()
end

Server.poll, Server.fd, Server.attach, Server.detach = loop.poll, loop.fd, loop.attach, loop.detach

--- Ends every session, and waits up to so many seconds for clients to take what was sent. Any number of times.
function Server:close(seconds)
  local handle = self.handle
  if not handle or self.is_closing then
    return
  end
  self.is_closing = true
  loop.detach(self)
  lib.mcp_server_close(handle, native.milliseconds(seconds, "close", -1))
  self:_settle()
end

--- Frees a server that was closed. In a handler the library still needs it; the poll that runs the handler calls this, too.
function Server:_settle()
  local handle = self.handle
  if handle and self.is_closing and self.running == 0 then
    self.handle = nil
    lib.mcp_server_free(ffi.gc(handle, nil))
  end
end

--- Tells the clients that subscribed to a resource that it has changed.
function Server:resource_updated(uri)
  native.call("resource_updated", "mcp_server_resource_updated", loop.open(self, "resource_updated"), native.text(uri, "uri"))
end

--- Sends a log message that belongs to no request, to clients up to 2025-11-25; announce "logging" in the configuration.
function Server:log(level, data, logger)
  local handle = loop.open(self, "log")
  level, logger = native.text(level, "level"), logger and native.text(logger, "logger")
  native.call("log", "mcp_server_log", handle, level, logger, native.encode(data, "data"))
end

--- Sends a notification of an extension; without a session to all of them.
function Server:notify(method, params, session)
  local handle = loop.open(self, "notify")
  native.call("notify", "mcp_server_notify", handle, session or 0, native.text(method, "method"), native.encode(params, "params"))
end

--- The server: "sessions", "requests", "counters", "times" and more.
function Server:info()
  local _, text = native.call_out("info", "char *[1]", "mcp_server_info", loop.open(self, "info"))
  return native.decode(native.owned(text))
end

-- Requests -----------------------------------------------------------------------------------------------------------------------

--- What serves a request, and the first argument of its handler.
local FOUND = {
  ["tools/call"] = function(self, params)
    return self.entries["tools/call " .. params.name], params.arguments or {}
  end,
  ["prompts/get"] = function(self, params)
    return self.entries["prompts/get " .. params.name], params.arguments or {}
  end,
  ["resources/read"] = function(self, params, request)
    local entry = self.entries["resources/read " .. params.uri]
    if entry then
      return entry, params.uri
    end
    local context = request:context()
    return self.templates[context.template], context.variables
  end,
  ["completion/complete"] = function(self, params)
    local reference = params.ref.name or params.ref.uri
    return self.entries["completion/complete " .. reference .. " " .. params.argument.name], params.argument.value
  end,
}

--- What a content block of each type has besides.
local BLOCKS = { text = "text", image = "data", audio = "data", resource = "resource", resource_link = "uri" }

local function is_block(value)
  local member = type(value) == "table" and BLOCKS[value.type]
  return member and value[member] ~= nil or false
end

--- How what a handler gives becomes a result.
local RESULTS = {
  ["tools/call"] = function(value)
    if value == nil then
      return { content = json.array() }
    elseif type(value) == "string" then
      return { content = { { type = "text", text = value } } }
    elseif type(value) == "table" and (value.content or value.structuredContent or value.isError ~= nil) then
      value.content = value.content or json.array()
      return value
    elseif is_block(value) then
      return { content = { value } }
    end
    local is_list, has_blocks = json.is_array(value), false
    for _, block in ipairs(is_list and value or {}) do
      has_blocks = is_block(block)
      if not has_blocks then
        break
      end
    end
    if has_blocks then
      return { content = value }
    end
    local is_object = type(value) == "table" and not is_list
    return { content = json.array(), structuredContent = is_object and value or { result = value } }
  end,
  ["resources/read"] = function(value, request, entry)
    if type(value) == "string" then
      return { contents = { { uri = request.params.uri, mimeType = entry.mime_type, text = value } } }
    end
    return value
  end,
  ["prompts/get"] = function(value)
    if type(value) == "string" then
      return { messages = { { role = "user", content = { type = "text", text = value } } } }
    end
    return value
  end,
  ["completion/complete"] = function(value)
    if type(value) ~= "table" or value.values then
      return value and { completion = value }
    end
    local first, count = {}, #value
    for i = 1, math.min(count, COMPLETIONS) do
      first[i] = value[i]
    end
    return { completion = { values = json.array(first), total = count, hasMore = count > COMPLETIONS } }
  end,
}

--- Answers with what a handler gave.
local function answer(request, entry, value, why)
  local is_tool = request.method == "tools/call"
  if value == nil and why ~= nil then
    if is_tool and type(why) == "string" then
      return request:respond({ content = { { type = "text", text = why } }, isError = true })
    end
    return request:refuse(why)
  elseif value == nil and request.method == "resources/read" then
    return request:not_found()
  end
  local make = RESULTS[request.method]
  local result = value == nil and not is_tool and {} or value
  if make then
    result = make(value, request, entry)
  end
  if type(result) ~= "table" then
    native.refuse(request.method, "the handler gave a " .. type(value) .. ", of which there is no result")
  end
  request:respond(result)
end

--- Has a failure of a tool be one that the model sees.
local function fail(request)
  if request.message and request.method == "tools/call" then
    local text = { content = { { type = "text", text = "internal error: the tool failed" } }, isError = true }
    pcall(request.respond, request, text)
  end
  request:fail()
end

local function serve(self, message)
  local request = requests.of_client(message, self)
  local find = FOUND[request.method]
  local ok, entry, argument = true, self.entries[request.method .. " "], request.params
  if find then
    ok, entry, argument = pcall(find, self, request.params, request)
  end
  -- The request is over, or its entry was removed after it came.
  if not ok or not entry then
    return ok and request:not_found() or request:free()
  end
  local worked, value, why = loop.run(self, entry.handler, argument, request)
  if request.is_asked or not request.message then
    return request:free()
  elseif worked and request.is_deferred then
    self.held[request.id] = request
    return
  end
  local failed = not worked and value.trace
  if worked then
    local done, wrong = pcall(answer, request, entry, value, why)
    failed = not done and tostring(wrong)
  end
  if failed then
    fail(request)
    -- What the client wrote there need not be a text.
    local name, uri = request.params.name, request.params.uri
    local of = type(name) == "string" and name or type(uri) == "string" and uri or ""
    loop.report(self, "the handler of " .. request.method .. " " .. of, failed)
  end
end

--- Takes one message, and frees it unless a handler keeps it.
function M.dispatch(self, message)
  local kind = lib.mcp_message_kind(message)
  if kind == kinds.request then
    serve(self, message)
  else
    local method, body = lib.mcp_message_method(message), native.value_of(message)
    method = method ~= nil and ffi.string(method) or nil
    local topic, id = lib.mcp_message_topic(message), tostring(lib.mcp_message_call_id(message))
    lib.mcp_message_free(message)
    if topic == topics.cancelled then
      local request = self.held[id]
      self.held[id] = nil
      if request and request.on_cancel then
        loop.deliver(self, false, "on_cancel", request.on_cancel, request)
      end
    elseif kind == kinds.notification and self.on_notification then
      loop.deliver(self, false, "on_notification", self.on_notification, method, body)
    end
  end
end

return M
