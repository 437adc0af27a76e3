--- JSON text and Lua values.
--
-- Objects are tables with text keys, arrays are tables that `array` has marked or whose keys are 1 to n, null is `null`. A table without
-- members is an object unless it is marked. Integers are exact up to 2^53. A mistake is raised as a text.

local ffi = require("ffi")

local byte, char, find, format, gsub, sub = string.byte, string.char, string.find, string.format, string.gsub, string.sub
local concat, sort = table.concat, table.sort

local M = {}

--- How deep values may be nested, as in the library.
M.DEPTH = 1000

local Array = { __name = "array" }

--- JSON's null, which is not `nil`: a member that is `nil` is not there.
M.null = setmetatable({}, {
  __tostring = function()
    return "null"
  end,
  __newindex = function()
    error("null has no members", 2)
  end,
})

--- Marks a table as an array, which an empty one needs; without a table a new one.
function M.array(values)
  return setmetatable(values or {}, Array)
end

--- Whether a table is written as an array.
function M.is_array(value)
  return type(value) == "table" and (value[1] ~= nil or getmetatable(value) == Array)
end

--- Whether a value is null here or in the libraries that Lua programs get JSON from.
local function is_null(value)
  if value == M.null then
    return true
  end
  local kind = type(value)
  if kind == "cdata" then
    return value == nil
  end
  return kind == "userdata" and (value == (vim and vim.NIL) or value == (ngx and ngx.null)) -- luacheck: globals vim ngx
end

--- UTF-8 with its first byte: what must follow. Neither overlong forms nor surrogates are among them.
local SEQUENCES = {
  "^[\194-\223][\128-\191]",
  "^\224[\160-\191][\128-\191]",
  "^[\225-\236\238\239][\128-\191][\128-\191]",
  "^\237[\128-\159][\128-\191]",
  "^\240[\144-\191][\128-\191][\128-\191]",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]",
  "^\244[\128-\143][\128-\191][\128-\191]",
}

--- The place of the first byte of a text that is not UTF-8, or nil.
function M.not_utf8(text)
  local at = find(text, "[\128-\255]")
  while at do
    local stop
    for i = 1, #SEQUENCES do
      stop = select(2, find(text, SEQUENCES[i], at))
      if stop then
        break
      end
    end
    if not stop then
      return at
    end
    at = find(text, "[\128-\255]", stop + 1)
  end
  return nil
end

-- Writing ------------------------------------------------------------------------------------------------------------------------

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(letter)
  return ESCAPES[letter] or format("\\u%04x", byte(letter))
end

local function fail(path, why)
  error(concat(path) .. " " .. why, 0)
end

local function text_of(text, path)
  local wrong = M.not_utf8(text)
  if wrong then
    fail(path, format("has the byte 0x%02x at %d, which is not UTF-8", byte(text, wrong), wrong))
  end
  return '"' .. gsub(text, '[%z\1-\31"\\\127]', escape) .. '"'
end

local function number_of(number, path)
  if number ~= number or number == math.huge or number == -math.huge then
    fail(path, "is " .. tostring(number) .. ", for which JSON has no text")
  end
  if number % 1 == 0 and number > -1e18 and number < 1e18 then
    return format("%.0f", number)
  end
  local short = format("%.15g", number)
  return tonumber(short) == number and short or format("%.17g", number)
end

--- The number of elements of an array; nil for an object.
local function length_of(value, path)
  if value[1] == nil and getmetatable(value) ~= Array then
    return nil
  end
  local count = 0
  for key in pairs(value) do
    if type(key) ~= "number" or key % 1 ~= 0 or key < 1 then
      fail(path, "is an array with the key " .. tostring(key) .. ": an array has the keys 1 to n, an object has texts")
    end
    count = count + 1
  end
  for i = 1, count do
    if value[i] == nil then
      fail(path, format("is an array without element %d: put null where an element has no value", i))
    end
  end
  return count
end

local write

local function write_array(value, count, path, parts, depth)
  parts[#parts + 1] = "["
  for i = 1, count do
    if i > 1 then
      parts[#parts + 1] = ","
    end
    path[depth] = "[" .. i .. "]"
    write(value[i], path, parts, depth + 1)
  end
  path[depth] = nil
  parts[#parts + 1] = "]"
end

--- The members in the order of their names, so that equal values are equal texts.
local function write_object(value, path, parts, depth)
  local names = {}
  for name in pairs(value) do
    if type(name) ~= "string" then
      fail(path, "is an object with the key " .. tostring(name) .. " (" .. type(name) .. "): the keys of an object are texts")
    end
    names[#names + 1] = name
  end
  sort(names)
  parts[#parts + 1] = "{"
  for i = 1, #names do
    local name = names[i]
    path[depth] = "." .. name
    parts[#parts + 1] = (i > 1 and "," or "") .. text_of(name, path) .. ":"
    write(value[name], path, parts, depth + 1)
  end
  path[depth] = nil
  parts[#parts + 1] = "}"
end

function write(value, path, parts, depth)
  local kind = type(value)
  if kind == "string" then
    parts[#parts + 1] = text_of(value, path)
  elseif kind == "number" then
    parts[#parts + 1] = number_of(value, path)
  elseif kind == "boolean" then
    parts[#parts + 1] = value and "true" or "false"
  elseif is_null(value) then
    parts[#parts + 1] = "null"
  elseif kind == "cdata" and (ffi.istype("int64_t", value) or ffi.istype("uint64_t", value)) then
    parts[#parts + 1] = gsub(tostring(value), "U?LL$", "")
  elseif kind == "table" then
    if depth > M.DEPTH + 1 then
      path[10] = #path > 10 and "…" or path[10]
      for i = #path, 11, -1 do
        path[i] = nil
      end
      fail(path, format("is nested deeper than %d levels; does a table contain itself?", M.DEPTH))
    end
    local count = length_of(value, path)
    if count then
      write_array(value, count, path, parts, depth)
    else
      write_object(value, path, parts, depth)
    end
  else
    fail(path, "is a " .. kind .. ", which JSON cannot hold")
  end
end

--- The text of a value. `name` is what errors call it.
function M.encode(value, name)
  local parts = {}
  write(value, { name or "value" }, parts, 2)
  return concat(parts)
end

-- Reading ------------------------------------------------------------------------------------------------------------------------

local UNESCAPED = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function wrong(text, at, why)
  if at > #text then
    error(format("the text ends at byte %d, where %s", #text, why), 0)
  end
  error(format("byte %d is wrong: %s", at, why), 0)
end

local function utf8_of(code)
  if code < 0x80 then
    return char(code)
  elseif code < 0x800 then
    return char(0xC0 + math.floor(code / 0x40), 0x80 + code % 0x40)
  elseif code < 0x10000 then
    return char(0xE0 + math.floor(code / 0x1000), 0x80 + math.floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
  end
  return char(
    0xF0 + math.floor(code / 0x40000),
    0x80 + math.floor(code / 0x1000) % 0x40,
    0x80 + math.floor(code / 0x40) % 0x40,
    0x80 + code % 0x40
  )
end

--- The character of `\uXXXX` at `at`, and the place behind it. Half of a surrogate pair becomes U+FFFD, as in the library.
local function read_unicode(text, at)
  local digits = string.match(text, "^%x%x%x%x", at + 2)
  if not digits then
    wrong(text, at, "\\u needs four hexadecimal digits")
  end
  local code = tonumber(digits, 16)
  if code < 0xD800 or code > 0xDFFF then
    return utf8_of(code), at + 6
  end
  local second = code < 0xDC00 and string.match(text, "^\\u([dD][c-fC-F]%x%x)", at + 6)
  if not second then
    return "\239\191\189", at + 6
  end
  return utf8_of(0x10000 + (code - 0xD800) * 0x400 + tonumber(second, 16) - 0xDC00), at + 12
end

--- The text that begins behind a quote at `at - 1`, and the place behind its end.
local function read_text(text, at)
  local stop = find(text, '["\\%z\1-\31]', at)
  if stop and byte(text, stop) == 34 then
    return sub(text, at, stop - 1), stop + 1
  end
  local parts = {}
  while true do
    if not stop then
      wrong(text, #text + 1, 'a text must end with "')
    end
    parts[#parts + 1] = sub(text, at, stop - 1)
    local letter = byte(text, stop)
    if letter == 34 then
      return concat(parts), stop + 1
    elseif letter ~= 92 then
      wrong(text, stop, "a control character in a text must be written as an escape")
    end
    local kind = sub(text, stop + 1, stop + 1)
    if kind == "u" then
      parts[#parts + 1], at = read_unicode(text, stop)
    elseif UNESCAPED[kind] then
      parts[#parts + 1], at = UNESCAPED[kind], stop + 2
    else
      wrong(text, stop, "\\" .. kind .. " is no escape of JSON")
    end
    stop = find(text, '["\\%z\1-\31]', at)
  end
end

local function read_number(text, at)
  local _, stop = find(text, "^-?[1-9]%d*", at)
  if not stop then
    _, stop = find(text, "^-?0", at)
  end
  if not stop then
    wrong(text, at, "a value must be here")
  end
  stop = select(2, find(text, "^%.%d+", stop + 1)) or stop
  stop = select(2, find(text, "^[eE][+-]?%d+", stop + 1)) or stop
  return tonumber(sub(text, at, stop)), stop + 1
end

local function skip(text, at)
  return find(text, "[^ \t\r\n]", at) or #text + 1
end

local read

local function read_array(text, at, depth)
  local values, count = M.array(), 0
  at = skip(text, at)
  if byte(text, at) == 93 then
    return values, at + 1
  end
  while true do
    count = count + 1
    values[count], at = read(text, at, depth + 1)
    at = skip(text, at)
    local letter = byte(text, at)
    if letter == 93 then
      return values, at + 1
    elseif letter ~= 44 then
      wrong(text, at, "an array goes on with , or ]")
    end
    at = skip(text, at + 1)
  end
end

local function read_object(text, at, depth)
  local values = {}
  at = skip(text, at)
  if byte(text, at) == 125 then
    return values, at + 1
  end
  while true do
    if byte(text, at) ~= 34 then
      wrong(text, at, 'the name of a member must begin with "')
    end
    local name
    name, at = read_text(text, at + 1)
    at = skip(text, at)
    if byte(text, at) ~= 58 then
      wrong(text, at, "a : must be behind the name of a member")
    end
    values[name], at = read(text, skip(text, at + 1), depth + 1)
    at = skip(text, at)
    local letter = byte(text, at)
    if letter == 125 then
      return values, at + 1
    elseif letter ~= 44 then
      wrong(text, at, "an object goes on with , or }")
    end
    at = skip(text, at + 1)
  end
end

function read(text, at, depth)
  if depth > M.DEPTH then
    wrong(text, at, format("the value is nested deeper than %d levels", M.DEPTH))
  end
  local letter = byte(text, at)
  if letter == 34 then
    return read_text(text, at + 1)
  elseif letter == 123 then
    return read_object(text, at + 1, depth)
  elseif letter == 91 then
    return read_array(text, at + 1, depth)
  elseif letter == 116 and sub(text, at, at + 3) == "true" then
    return true, at + 4
  elseif letter == 102 and sub(text, at, at + 4) == "false" then
    return false, at + 5
  elseif letter == 110 and sub(text, at, at + 3) == "null" then
    return M.null, at + 4
  end
  return read_number(text, at)
end

--- The value of a text, which is exactly one value.
function M.decode(text)
  if type(text) ~= "string" then
    error("JSON is a text, not a " .. type(text), 0)
  end
  local value, at = read(text, skip(text, 1), 1)
  at = skip(text, at)
  if at <= #text then
    wrong(text, at, "the value has ended already")
  end
  return value
end

return M
