--- A request of the other side, and its answer: what a server asks a client, and what a client wants of a server.

local ffi = require("ffi")
local native = require("mcp.native")

local lib, status = native.lib, native.status

local M = {}

--- What both sides have.
local Request = {}
Request.__index = Request

--- What a handler of a server has besides.
local Served = setmetatable({}, Request)
Served.__index = Served

--- Leaves a handler that has asked its client something: it runs again from its beginning with the answer.
local ASKED = setmetatable({}, {
  __tostring = function()
    return "the client is asked, and the handler runs again with its answer"
  end,
})

--- The code of JSON-RPC for what went wrong inside.
local INTERNAL = -32603
--- MCP_CODE_NOT_FOUND: the library turns it into the code of the revision.
local NOT_FOUND = -32002

local function make(class, message, owner)
  local method = lib.mcp_message_method(message)
  return setmetatable({
    method = method ~= nil and ffi.string(method) or "",
    params = native.value_of(message),
    id = tostring(lib.mcp_message_call_id(message)),
    message = ffi.gc(message, lib.mcp_message_free),
    owner = owner,
  }, class)
end

--- A request of a server.
function M.of_server(message, client)
  return make(Request, message, client)
end

--- A request of a client.
function M.of_client(message, server)
  return make(Served, message, server)
end

--- Releases the message. Without an answer the library refuses the request.
function Request:free()
  local message = self.message
  if message then
    self.message = nil
    if self.owner.held then
      self.owner.held[self.id] = nil
    end
    lib.mcp_message_free(ffi.gc(message, nil))
  end
end

--- The message, or the error that the request is over here.
function Request:open()
  if not self.message then
    native.refuse(self.method, "the request has its answer already")
  end
  return self.message
end

--- That the other side no longer wants an answer is no failure of the handler.
local OVER = { cancelled = true, closed = true, transport = true }

--- Calls a function that answers; gives whether the answer was wanted.
local function answer(self, name, ...)
  local ok, why = pcall(native.call, self.method, name, self:open(), ...)
  if not ok and not (native.is_error(why) and OVER[why.status]) then
    error(why, 0)
  end
  self:free()
  return ok
end

--- Answers with a result, a table. False if the answer is no longer wanted.
function Request:respond(result)
  if type(result) ~= "table" then
    native.refuse(self.method, "the result is a table, not a " .. type(result))
  end
  return answer(self, "mcp_request_respond", native.encode(result, "result"))
end

--- Answers with an error: a text, or a table with `message`, `code` and `data`.
function Request:refuse(why)
  why = type(why) == "table" and why or { message = why }
  local text = native.text(why.message or "refused", "refuse")
  local code = why.code or self.default_code
  return answer(self, "mcp_request_respond_error", code, text, native.encode(why.data, "data"))
end

--- The code of a refusal: of a client that the person does not want to.
Request.default_code = -1
Served.default_code = INTERNAL

--- Has the handler answer later: what it gives is not the answer, and the request stays open until `respond`, `refuse` or the like.
function Request:defer()
  self:open()
  self.is_deferred = true
  return self
end

--- Accepts an elicitation, with the content of the form; without it for a page, or for the defaults alone.
function Request:accept(content)
  return answer(self, "mcp_request_respond_elicitation", "accept", native.encode(content, "content"))
end

--- The person declines.
function Request:decline()
  return answer(self, "mcp_request_respond_elicitation", "decline", nil)
end

--- The person closed the question without a choice.
function Request:cancel()
  return answer(self, "mcp_request_respond_elicitation", "cancel", nil)
end

--- Refuses after a failure, whose text stays in this process.
function Request:fail()
  if self.message then
    pcall(self.refuse, self, { message = "internal error: the handler failed", code = INTERNAL })
    self:free()
  end
end

-- Of a server --------------------------------------------------------------------------------------------------------------------

--- Reports progress, which rises from report to report. False if none is wanted.
function Served:progress(progress, total, text)
  local given = lib.mcp_request_progress(self:open(), progress, total or 0, text and native.text(text, "progress"))
  return M.checked(given, "progress") == status.ok
end

--- Sends a log message that belongs to the request. False if none is wanted.
function Served:log(level, data, logger)
  local given = lib.mcp_request_log(
    self:open(),
    native.text(level, "level"),
    logger and native.text(logger, "logger"),
    native.encode(data, "data")
  )
  return M.checked(given, "log") == status.ok
end

--- The status of a function without an error object; a failure is raised.
function M.checked(given, operation)
  if given < 0 then
    error(native.error_of(given, nil, operation), 0)
  end
  return given
end

--- Whether the answer is no longer wanted.
function Served:cancelled()
  return not self.message or lib.mcp_request_cancelled(self.message)
end

--- Who asks: "session", "revision", "capabilities", "principal" and more.
function Served:context()
  local _, text = native.call_out("context", "char *[1]", "mcp_request_context", self:open())
  return native.decode(native.owned(text))
end

--- Asks the client, and gives its answer. The first call with a key ends the handler here; it runs again from its beginning when the
-- answer is there. What must happen once comes after the last question.
function Served:ask(key, method, params)
  local given, text = native.call_out(
    method,
    "char *[1]",
    "mcp_request_ask",
    self:open(),
    native.text(key, "key"),
    native.text(method, "method"),
    native.encode(params or {}, "params")
  )
  if given == status.empty then
    self.is_asked = true
    error(ASKED, 0)
  end
  return native.decode(native.owned(text))
end

--- Asks the person by a form: gives the content, or nil and "decline" or "cancel".
function Served:elicit(key, message, schema)
  local given = self:ask(key, "elicitation/create", { message = message, requestedSchema = schema })
  if given.action == "accept" then
    return given.content or {}, "accept"
  end
  return nil, given.action
end

--- Asks the client's model.
function Served:sample(key, params)
  return self:ask(key, "sampling/createMessage", params)
end

--- Asks for the roots.
function Served:roots(key)
  return self:ask(key, "roots/list").roots
end

--- The text that an earlier run of the handler kept, or nil.
function Served:state()
  local given, text = native.call_out("state", "char *[1]", "mcp_request_state", self:open())
  return given == status.ok and native.owned(text) or nil
end

--- Keeps a text for the next run of the handler.
function Served:keep(text)
  native.call("keep", "mcp_request_set_state", self:open(), native.text(text, "keep"))
end

--- Turns the call into a task (docs/guide/tasks.md).
function Served:start_task(options)
  native.call("start_task", "mcp_request_start_task", self:open(), native.encode(options, "options"))
end

--- Ends the event stream before the answer (HTTP, 2025-11-25). False if there is no such stream.
function Served:close_stream(seconds)
  local milliseconds = native.milliseconds(seconds, "close_stream", -1)
  return native.call("close_stream", "mcp_request_close_stream", self:open(), milliseconds) == status.ok
end

--- Says that there is no such thing.
function Served:not_found()
  return answer(self, "mcp_request_respond_error", NOT_FOUND, nil, nil)
end

--- Whether a failure is the way out of a handler that has asked.
function M.is_asked(failure)
  return failure == ASKED
end

return M
