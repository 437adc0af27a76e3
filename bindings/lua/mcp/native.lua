--- The library, its errors, and texts on their way to and from C.

local ffi = require("ffi")
local abi = require("mcp.cdef")
local json = require("mcp.json")

local M = { abi = abi, status = abi.status }

-- Errors -------------------------------------------------------------------------------------------------------------------------

--- What is raised: a table with `status` (such as "timeout"), `message`, and where the library says so `operation`, `details`,
-- `retryable`, and `code` and `data` of the server. Its text is the message.
local Error = { __name = "mcp.Error" }
Error.__index = Error

function Error.__tostring(self)
  return self.message
end

--- "failed: " .. why
function Error.__concat(left, right)
  return tostring(left) .. tostring(right)
end

--- Whether a value is an error of this module.
function M.is_error(value)
  return getmetatable(value) == Error
end

function M.error(status, message, operation)
  return setmetatable({ status = status, message = message, operation = operation }, Error)
end

--- Raises a mistake of the program.
function M.refuse(operation, why)
  error(M.error("invalid_argument", operation .. ": " .. why, operation), 0)
end

--- A function of the program; where it may be left out nil stays nil.
function M.func(value, operation, what, is_optional)
  if type(value) ~= "function" and not (is_optional and value == nil) then
    M.refuse(operation, what .. " is a function, not a " .. type(value))
  end
  return value
end

--- The error of an error object, a JSON text; without one, of a status alone.
function M.error_of(status, text, operation)
  local fields = text and json.decode(text) or {}
  fields.status = fields.status or ffi.string(M.lib.mcp_status_name(status))
  fields.message = fields.message or (operation .. ": " .. fields.status)
  fields.operation = fields.operation or operation
  if fields.status == "timeout" then
    fields.message = fields.message:gsub("raise timeout_ms", "raise timeout")
  elseif fields.status == "invalid_argument" then
    fields.message = fields.message:gsub("'timeout_ms'", "'timeout'")
  end
  return setmetatable(fields, Error)
end

-- The library --------------------------------------------------------------------------------------------------------------------

--- Refuses a library of another ABI than that of the declarations.
function M.check_abi(ours, its, version)
  if ours ~= its then
    error(
      ("libmcp %s has ABI version %d, and this binding is for %d: install the binding and the library of one release"):format(
        version,
        its,
        ours
      ),
      0
    )
  end
end

local function load()
  local named = os.getenv("MCP_LIBRARY")
  local failures = {}
  for _, name in ipairs(named and { named } or { "mcp", "libmcp.so.0" }) do
    local ok, library = pcall(ffi.load, name)
    if ok then
      return library
    end
    failures[#failures + 1] = tostring(library)
  end
  error(
    "cannot load libmcp: " .. table.concat(failures, "; ") .. "\ninstall the library, or name its file in the variable MCP_LIBRARY",
    0
  )
end

M.lib = load()
M.check_abi(abi.abi, M.lib.mcp_abi_version(), ffi.string(M.lib.mcp_version()))

-- Texts --------------------------------------------------------------------------------------------------------------------------

--- A text for a parameter of C, which ends at a NUL. `what` is what errors call it.
function M.text(value, what)
  local why
  if type(value) ~= "string" then
    why = "needs a text, not a " .. type(value)
  elseif value:find("%z") then
    why = ("has a NUL at byte %d, where the library would end it"):format((value:find("%z")))
  else
    local wrong = json.not_utf8(value)
    if not wrong then
      return value
    end
    why = ("has the byte 0x%02x at %d, which is not UTF-8"):format(value:byte(wrong), wrong)
  end
  error(M.error("invalid_argument", what .. " " .. why, what), 0)
end

--- A text of any kind as one for C: where it has bytes that C or the library does not take, it ends.
function M.printable(text)
  text = text:match("^[^%z]*")
  local wrong = json.not_utf8(text)
  return wrong and text:sub(1, wrong - 1) or text
end

--- The JSON of a value for a parameter; nil stays nil.
function M.encode(value, what)
  if value == nil then
    return nil
  end
  local ok, text = pcall(json.encode, value, what)
  if not ok then
    error(M.error("invalid_argument", tostring(text), what), 0)
  end
  return text
end

--- The value of a JSON text.
function M.decode(text)
  local ok, value = pcall(json.decode, text)
  if not ok then
    M.refuse("decode", tostring(value))
  end
  return value
end

--- No limit: the longest that the library's functions take, in milliseconds.
local LONGEST = 2147483647

--- A time in seconds as milliseconds; `default` for nil.
function M.milliseconds(seconds, what, default)
  if seconds == nil then
    return default
  end
  if seconds == math.huge then
    return LONGEST
  end
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 2147483) then
    M.refuse(what, "is a time in seconds, from 0 to 2147483, or math.huge for no limit, not " .. tostring(seconds))
  end
  return math.ceil(seconds * 1000)
end

--- A text that the library gave, which is freed.
function M.owned(pointer)
  if pointer == nil then
    return nil
  end
  local text = ffi.string(pointer)
  M.lib.mcp_string_free(pointer)
  return text
end

--- The JSON of a message as a value.
local size = ffi.new("size_t[1]")

function M.value_of(message)
  return json.decode(M.text_of(message))
end

function M.text_of(message)
  local text = M.lib.mcp_message_json(message, size)
  return text == nil and "{}" or ffi.string(text, size[0])
end

--- Calls a function whose last parameter is `error_json`, and raises what it reports; gives its status.
function M.call(operation, name, ...)
  local box = ffi.new("char *[1]")
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = box
  local status = M.lib[name](unpack(arguments, 1, count + 1))
  if status < 0 then
    error(M.error_of(status, M.owned(box[0]), operation), 0)
  end
  return status
end

--- The same for one with an out-parameter of this type before the last; gives the status and what came out.
function M.call_out(operation, kind, name, ...)
  local out = ffi.new(kind)
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = out
  local status = M.call(operation, name, unpack(arguments, 1, count + 1))
  return status, out[0]
end

return M
