--- A client: one logical connection to one server.

local ffi = require("ffi")
local login = require("mcp.login")
local loop = require("mcp.loop")
local native = require("mcp.native")
local requests = require("mcp.request")
local servers = require("mcp.server")

local lib, kinds, topics = native.lib, native.abi.kind, native.abi.topic

local M = {}

local Client = { __name = "mcp.Client", noun = "client" }
Client.__index = Client

function Client:__tostring()
  return "mcp.Client, " .. (self.handle and ffi.string(lib.mcp_client_state_name(lib.mcp_client_state(self.handle))) or "closed")
end

--- A forgotten client is closed by the collector; its server gets this long to end.
local FORGOTTEN_MS = 200

--- The functions of the program, and the capability that each enables.
local HANDLERS = {
  on_notification = {},
  on_sampling = { sampling = {} },
  on_elicitation = { elicitation = { form = {} } },
  on_visit = { elicitation = { url = {} } },
  on_roots = { roots = { listChanged = true } },
  on_request = {},
  on_login = {},
  on_state = {},
  on_line = {},
  on_lost = {},
  on_failure = {},
}

-- Calls --------------------------------------------------------------------------------------------------------------------------

--- A call that was started. `ended` is true when it has its outcome, in `failure` or `result`.
local Call = { __name = "mcp.Call" }
Call.__index = Call

--- Ends the call with the status "cancelled" unless it has its outcome, and tells the server. False if it had.
function Call:cancel(reason)
  local client = self.client
  if self.ended or not client.handle then
    return false
  end
  local given = lib.mcp_call_cancel(client.handle, self.id, reason and native.text(reason, "reason"))
  return requests.checked(given, "cancel") == native.status.ok
end

--- Waits for the outcome: gives the result, or raises the error. In a function of `mcp.spawn` it yields; otherwise it polls the client.
function Call:wait()
  local client, co = self.client, loop.current()
  if co and not self.ended then
    self.waiters = self.waiters or {}
    table.insert(self.waiters, co)
    coroutine.yield()
  end
  while not self.ended do
    local ok, taken = pcall(loop.take, client, loop.SLICE)
    if not ok then
      self:cancel("the program was interrupted")
      error(taken, 0)
    end
    if taken == nil and not self.ended then
      client:_end(self, native.error("closed", self.what .. ": the client is closed", self.what))
    end
  end
  if self.failure then
    error(self.failure, 0)
  end
  return self.result, self.more
end

--- Gives a call its outcome.
function Client:_end(call, failure, result)
  if call.tag then
    self.pending[call.tag] = nil
  end
  call.ended, call.failure = true, failure
  if result ~= nil and call.member then
    call.result, call.more = result[call.member], result.nextCursor
  else
    call.result = result
  end
  for _, waiter in ipairs(call.waiters or {}) do
    loop.deliver(self, true, call.what, loop.resume, waiter)
  end
  if call.callback then
    loop.deliver(self, true, "the callback of " .. call.what, call.callback, failure, call.result, call.more)
  end
end

--- The options for the library, and the functions among them.
local function split(options, what)
  if options == nil then
    return {}
  end
  if type(options) ~= "table" then
    native.refuse(what, "the options are a table, not a " .. type(options))
  end
  local given = {}
  for name, value in pairs(options) do
    given[name] = value
  end
  given.on_progress, given.on_task = nil, nil
  given.progress = options.on_progress and true or options.progress
  if options.timeout ~= nil then
    given.timeout = nil
    given.timeout_ms = math.max(1, native.milliseconds(options.timeout, what .. ": timeout"))
    given.max_total_ms = given.max_total_ms or given.timeout_ms
  end
  return given, native.func(options.on_progress, what, "on_progress", true), native.func(options.on_task, what, "on_task", true)
end

--- Starts a call by a function of C with these parameters and a tag. A mistake in them is raised; any other failure is the outcome.
function Client:_launch(call, start, arguments, count)
  self.last_tag = self.last_tag + 1
  call.client, call.tag, self.pending[self.last_tag] = self, self.last_tag, call
  arguments[count + 1] = call.tag
  local handle = loop.open(self, call.what)
  local ok, failure, id = pcall(native.call_out, call.what, "uint64_t[1]", start, handle, unpack(arguments, 1, count + 1))
  if ok then
    call.id = id
  elseif native.is_error(failure) and failure.status ~= "invalid_argument" then
    self:_end(call, failure)
  else
    self.pending[call.tag] = nil
    error(failure, 0)
  end
  return setmetatable(call, Call)
end

--- Starts a call of the table below.
function Client:_start(row, what, arguments, options, callback)
  loop.open(self, what)
  local given, on_progress, on_task = split(options, what)
  local count = (row.method and 2 or #row) + 1
  arguments[count] = next(given) and native.encode(given, "options") or nil
  local call = { what = what, member = row.member, callback = callback, on_progress = on_progress, on_task = on_task }
  return self:_launch(call, row.start or "mcp_call_start", arguments, count)
end

--- The methods that are calls: the method of the protocol, and the member of its parameters that is given or a function that makes them; or
-- the function of C. Then what the parameters are, and the member of the result that the caller gets.
local CALLS = {
  list_tools = { method = "tools/list", member = "tools" },
  list_resources = { method = "resources/list", member = "resources" },
  list_resource_templates = { method = "resources/templates/list", member = "resourceTemplates" },
  list_prompts = { method = "prompts/list", member = "prompts" },
  list_tasks = { method = "tasks/list", member = "tasks" },
  list_skills = { method = "skills/list", member = "skills" },
  call = { start = "mcp_client_call_tool_start", "text name", "json arguments" },
  request = { start = "mcp_call_start", "text method", "json params" },
  read_resource = { start = "mcp_client_read_resource_start", "text uri" },
  subscribe = { method = "resources/subscribe", takes = "uri", "text uri" },
  unsubscribe = { method = "resources/unsubscribe", takes = "uri", "text uri" },
  get_prompt = { start = "mcp_client_get_prompt_start", "text name", "json arguments" },
  complete = {
    method = "completion/complete",
    member = "completion",
    params = function(ref, argument, value, settled)
      return {
        ref = ref,
        argument = { name = native.text(argument, "complete: argument"), value = native.text(value, "complete: value") },
        context = settled ~= nil and { arguments = settled } or nil,
      }
    end,
    "json ref",
    "text argument",
    "text value",
    "json settled",
  },
  set_log_level = { method = "logging/setLevel", takes = "level", "text level" },
  ping = { method = "ping" },
  get_task = { method = "tasks/get", takes = "taskId", "text task_id" },
  task_result = { method = "tasks/result", takes = "taskId", "text task_id" },
  cancel_task = { method = "tasks/cancel", takes = "taskId", "text task_id" },
  get_skill = { method = "skills/get", takes = "uri", member = "skill", "text uri" },
  load_skill = { start = "mcp_client_load_skill_start", "json entry" },
  read_skill_file = { start = "mcp_client_read_skill_file_start", "json entry", "text path" },
}

--- The parameters for C of what a caller has given: `row` says what each is.
local function parameters(row, name, given)
  if row.method then
    local params
    if row.params then
      params = row.params(unpack(given, 1, #row))
    elseif row.takes then
      params = { [row.takes] = native.text(given[1], name .. ": " .. row[1]:sub(6)) }
    end
    return { row.method, native.encode(params, name) }
  end
  local made = {}
  for i, kind in ipairs(row) do
    local what, as = kind:sub(6), kind:sub(1, 4)
    if as == "text" then
      made[i] = native.text(given[i], name .. ": " .. what)
    else
      made[i] = native.encode(given[i], what)
    end
  end
  return made
end

-- As the other bindings call it.
CALLS.call_tool = CALLS.call

local function of_client(self, name)
  if getmetatable(self) ~= Client then
    native.refuse(name, "it is a method of a client: call it with a colon, client:" .. name .. "(…)")
  end
end

for name, row in pairs(CALLS) do
  --- client:NAME(parameters…, options) waits for the result.
  Client[name] = function(self, ...)
    of_client(self, name)
    return self:_start(row, name, parameters(row, name, { ... }), (select(#row + 1, ...))):wait()
  end

  --- client:NAME_async(parameters…, options, callback) gives the call; `callback(failure, result)` gets its outcome. What is not needed
  -- may be left out before the callback.
  Client[name .. "_async"] = function(self, ...)
    of_client(self, name .. "_async")
    local given, count, callback = { ... }, select("#", ...), nil
    if type(given[count]) == "function" then
      callback, given[count] = given[count], nil
    end
    return self:_start(row, name, parameters(row, name, given), given[#row + 1], callback)
  end
end

-- Connecting ---------------------------------------------------------------------------------------------------------------------

--- The configuration for C and the handlers.
local function settings_of(given)
  if type(given) ~= "table" then
    native.refuse("client", "the settings are a table, not a " .. type(given))
  end
  local config, handlers, enabled = {}, {}, {}
  if given.config ~= nil then
    local file = native.text(given.config, "config")
    local server = given.server and native.text(given.server, "server")
    local _, text = native.call_out("client", "char *[1]", "mcp_config_load", file, server)
    config = native.decode(native.owned(text))
  end
  for name, value in pairs(given) do
    local enables = HANDLERS[name]
    if enables then
      handlers[name] = native.func(value, "client", name)
      for capability, details in pairs(enables) do
        enabled[capability] = enabled[capability] or {}
        for key, detail in pairs(details) do
          enabled[capability][key] = detail
        end
      end
    elseif type(name) == "string" and name:sub(1, 3) == "on_" then
      local known = {}
      for one in pairs(HANDLERS) do
        known[#known + 1] = one
      end
      table.sort(known)
      native.refuse("client", "there is no handler " .. name .. "; there are " .. table.concat(known, ", "))
    elseif name ~= "config" and name ~= "server" then
      config[name] = value
    end
  end
  if next(enabled) then
    for capability, details in pairs(config.capabilities or {}) do
      enabled[capability] = details
    end
    config.capabilities = enabled
  end
  if handlers.on_line and config.stderr == nil then
    config.stderr = "message" -- Else it would never run.
  end
  return config, handlers
end

local function forget(handle)
  lib.mcp_client_close(handle, FORGOTTEN_MS)
  lib.mcp_client_free(handle)
end

--- A client of the keys of docs/reference/configuration.md, or of a file with "mcpServers" (`config`, and `server` for its name there), with the
-- handlers of the program. Or one of a server of this program, whose handlers run while the client waits or is polled. It starts nothing:
-- `connect` does, or the first call.
function M.new(given, settings)
  local peer = servers.is(given) and given or nil
  local config, handlers = settings_of(peer and (settings or {}) or given)
  local text, handle = native.encode(config, "config")
  if peer then
    handle = select(2, native.call_out("client", "mcp_client_t *[1]", "mcp_client_new_in_process", text, nil, loop.open(peer, "client")))
  else
    handle = select(2, native.call_out("client", "mcp_client_t *[1]", "mcp_client_new", text, nil))
  end
  local self = setmetatable(handlers, Client)
  self.peer = peer
  self.handle = ffi.gc(handle, forget)
  self.pending, self.last_tag, self.questions = {}, 0, 0
  loop.init(self, "mcp_client_poll", "mcp_client_fd", M.dispatch)
  return self
end

local function connect(self, seconds, callback)
  loop.open(self, "connect")
  local timeout = native.milliseconds(seconds, "connect", -1)
  return self:_launch({ what = "connect", callback = callback }, "mcp_client_connect_start", { timeout }, 1)
end

--- Connects, and waits until the connection is ready, at most so many seconds.
function Client:connect(seconds)
  connect(self, seconds):wait()
  return self
end

--- The same without a wait; `callback(failure)` gets the outcome.
function Client:connect_async(seconds, callback)
  if type(seconds) == "function" then
    seconds, callback = nil, seconds
  end
  return connect(self, seconds, callback)
end

--- "idle", "starting", "initializing", "ready", "backoff", "closing" or "closed".
function Client:state()
  return self.handle and ffi.string(lib.mcp_client_state_name(lib.mcp_client_state(self.handle))) or "closed"
end

--- The connection: "server", "capabilities", "revision", "pid", "counters" and more.
function Client:info()
  local _, text = native.call_out("info", "char *[1]", "mcp_client_info", loop.open(self, "info"))
  return native.decode(native.owned(text))
end

--- Sends a notification.
function Client:notify(method, params)
  native.call(method, "mcp_client_notify", loop.open(self, "notify"), native.text(method, "method"), native.encode(params, "params"))
end

--- Sets what the library answers to a server that asks for roots: URIs, or tables with `uri` and `name`.
function Client:set_roots(roots)
  native.call("set_roots", "mcp_client_set_roots", loop.open(self, "set_roots"), native.encode(roots, "roots"))
end

--- Drops the results that are kept ("cache" in the configuration).
function Client:clear_cache()
  requests.checked(lib.mcp_client_clear_cache(loop.open(self, "clear_cache")), "clear_cache")
end

--- Deletes the stored login, and waits for it. Not for a store of the application, which nothing would ask meanwhile.
function Client:logout(seconds)
  native.call("logout", "mcp_client_logout", loop.open(self, "logout"), native.milliseconds(seconds, "logout", -1))
end

Client.poll, Client.fd, Client.attach, Client.detach = loop.poll, loop.fd, loop.attach, loop.detach

--- Ends the connection and the server, and waits for that. Every call that is under way ends with the status "closed". Any number of
-- times. `seconds` is how long the server has before it is killed.
function Client:close(seconds)
  local handle = self.handle
  if not handle or self.is_closing then
    return
  end
  self.is_closing = true
  loop.detach(self)
  lib.mcp_client_close(handle, native.milliseconds(seconds, "close", -1))
  repeat
    local taken = loop.take(self, 0)
  until not taken
  self.handle = nil
  ffi.gc(handle, nil)
  lib.mcp_client_free(handle)
  for _, call in pairs(self.pending) do
    self:_end(call, native.error("closed", call.what .. ": the client is closed", call.what))
  end
end

-- Messages -----------------------------------------------------------------------------------------------------------------------

--- How the answer of each handler becomes a result.
local function answer(self, request, name, value, why)
  if value == nil and why ~= nil then
    return request:refuse(why)
  elseif name == "on_elicitation" or name == "on_visit" then
    if value == nil then
      return request:cancel()
    elseif value == false then
      return request:decline()
    end
    return request:accept(value ~= true and value or nil)
  elseif name == "on_roots" then
    local roots = {}
    for i, root in ipairs(value) do
      roots[i] = type(root) == "string" and { uri = root } or root
    end
    return request:respond({ roots = require("mcp.json").array(roots) })
  elseif name == "on_sampling" and type(value) == "string" then
    return request:respond({ role = "assistant", model = "unknown", content = { type = "text", text = value } })
  end
  return request:respond(value)
end

local NAMES = { ["sampling/createMessage"] = "on_sampling", ["roots/list"] = "on_roots" }

local function serve(self, message)
  local request = requests.of_server(message, self)
  local name = NAMES[request.method]
  if request.method == "elicitation/create" then
    name = request.params.mode == "url" and "on_visit" or "on_elicitation"
  end
  if not name or not self[name] then
    name = "on_request"
  end
  local handler = self[name]
  if not handler or self.questions >= loop.DEPTH then
    return request:free()
  end
  self.questions = self.questions + 1
  local ok, value, why = loop.run(self, handler, request.params, request)
  self.questions = self.questions - 1
  if ok and (request.is_deferred or not request.message) then
    return
  end
  local failed = not ok and value.trace
  if ok then
    local done, wrong = pcall(answer, self, request, name, value, why)
    failed = not done and tostring(wrong)
  end
  if failed then
    loop.report(self, name, failed)
    request:fail()
  end
end

--- Takes one message, and frees it unless it is kept for an answer.
function M.dispatch(self, message)
  local kind = lib.mcp_message_kind(message)
  if kind == kinds.request then
    return serve(self, message)
  elseif kind == kinds.auth then
    return login.run(self, message)
  end
  local text = native.text_of(message)
  local call = self.pending[tonumber(lib.mcp_message_tag(message))]
  local given = lib.mcp_message_status(message)
  local method = lib.mcp_message_method(message)
  method = method ~= nil and ffi.string(method) or nil
  local topic = lib.mcp_message_topic(message)
  lib.mcp_message_free(message)
  if kind == kinds.reply then
    if call and given < 0 then
      self:_end(call, native.error_of(given, text, call.what))
    elseif call then
      self:_end(call, nil, native.decode(text))
    end
    return
  end
  local body = native.decode(text)
  if kind == kinds.progress then
    if call and call.on_progress then
      loop.deliver(self, false, "on_progress of " .. call.what, call.on_progress, body)
    end
  elseif kind == kinds.notification then
    if topic == topics.task and call and call.on_task then
      loop.deliver(self, false, "on_task of " .. call.what, call.on_task, body)
    end
    if self.on_notification then
      loop.deliver(self, false, "on_notification", self.on_notification, method, body)
    end
  elseif kind == kinds.state and self.on_state then
    loop.deliver(self, false, "on_state", self.on_state, body)
  elseif kind == kinds.stderr and self.on_line then
    loop.deliver(self, false, "on_line", self.on_line, body.line)
  elseif kind == kinds.lost then
    self.lost = self.lost + body.count
  end
end

return M
