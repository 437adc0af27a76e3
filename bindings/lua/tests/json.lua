--- JSON and texts.

local ffi = require("ffi")
local mcp = require("mcp")
local native = require("mcp.native")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises = support.equal, support.has, support.raises

test("values are written as JSON", function()
  for _, row in ipairs({
    { {}, "{}" },
    { mcp.array(), "[]" },
    { { 1, 2, 3 }, "[1,2,3]" },
    { { b = 1, a = { c = mcp.null } }, '{"a":{"c":null},"b":1}' },
    { mcp.array({ mcp.null, false, "x" }), '[null,false,"x"]' },
    { 'a"\\\n\0\127é☃😀', '"a\\"\\\\\\n\\u0000\\u007fé☃😀"' },
    { 9007199254740992, "9007199254740992" },
    { -9007199254740991, "-9007199254740991" },
    { 1e300, "1e+300" },
    { 0.1, "0.1" },
    { 1 / 3, "0.3333333333333333" },
    { 9223372036854775807LL, "9223372036854775807" },
    { 18446744073709551615ULL, "18446744073709551615" },
  }) do
    local text = mcp.encode(row[1])
    if row[1] == 1 / 3 then
      equal(tonumber(text) == 1 / 3, true)
    else
      equal(text == row[2], true)
    end
  end
  equal(mcp.encode(nil), "null")
  equal(mcp.encode(ffi.new("void *")), "null")
end)

test("JSON is read as values and written as it was", function()
  for _, text in ipairs({
    "{}",
    "[]",
    '{"a":[1,-2,3.5,1e+300],"b":{"c":null,"d":true,"e":false}}',
    '"\\u0000\\u001f"',
    "[[[]],{}]",
    "9007199254740992",
    "-0.5",
    '""',
  }) do
    equal(mcp.encode(mcp.decode(text)) == text, true)
  end
  for text, value in pairs({
    [' { "a" : [ 1 , 2 ] } '] = { a = { 1, 2 } },
    ['"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t"'] = "é😀/\b\f\n\r\t",
    ['"\\ud800x"'] = "\239\191\189x",
    ['"\\udc00"'] = "\239\191\189",
    ['{"a":1,"a":2}'] = { a = 2 },
    ["1E2"] = 100,
  }) do
    equal(mcp.decode(text), value)
  end
  equal(mcp.decode("null") == mcp.null, true)
  equal(tostring(mcp.null), "null")
end)

test("text that is not JSON is refused with its place", function()
  for text, says in pairs({
    [""] = "the text ends at byte 0",
    ["{"] = "the text ends at byte 1",
    ["[1,]"] = "byte 4 is wrong",
    ["[1 2]"] = "byte 4 is wrong",
    ['{"a" 1}'] = "byte 6 is wrong",
    ["{a:1}"] = "byte 2 is wrong",
    ['"abc'] = "the text ends at byte 4",
    ['"\\x"'] = "is no escape of JSON",
    ['"\\u12"'] = "four hexadecimal digits",
    ['"\n"'] = "control character",
    ["01"] = "byte 2 is wrong",
    ["1."] = "byte 2 is wrong",
    ["nul"] = "byte 1 is wrong",
    ["1 1"] = "has ended already",
    [("["):rep(1001)] = "deeper than 1000 levels",
  }) do
    has(raises("invalid_argument", mcp.decode, text).message, says)
  end
  raises("invalid_argument", mcp.decode, 7)
  mcp.decode(("["):rep(1000) .. ("]"):rep(1000))
end)

test("values that JSON cannot hold are refused with their place", function()
  local endless = {}
  endless.self = endless
  local deep = mcp.array()
  for _ = 1, 999 do
    deep = mcp.array({ deep })
  end
  mcp.encode(deep)
  for _, row in ipairs({
    { { a = { b = print } }, "value.a.b is a function" },
    { { 1, 2, [4] = 4 }, "value is an array without element 3" },
    { { 1, a = 2 }, "value is an array with the key a" },
    { { [true] = 1 }, "value is an object with the key true (boolean)" },
    { { [3] = 1 }, "value is an object with the key 3 (number)" },
    { { x = { 0 / 0 } }, "value.x[1] is " },
    { { 1 / 0 }, "for which JSON has no text" },
    { { name = "a\255" }, "value.name has the byte 0xff at 2, which is not UTF-8" },
    { { ["\237\160\128"] = 1 }, "which is not UTF-8" },
    { endless, "does a table contain itself?" },
    { mcp.array({ deep }), "deeper than 1000 levels" },
    { coroutine.create(print), "value is a thread" },
  }) do
    local failure = raises("invalid_argument", mcp.encode, row[1])
    has(failure.message, row[2])
    equal(#failure.message < 200, true)
  end
end)

test("a library of another ABI is refused", function()
  native.check_abi(1, 1, "0.1.0")
  local ok, why = pcall(native.check_abi, 1, 2, "9.9.9")
  equal(ok, false)
  has(why, "libmcp 9.9.9 has ABI version 2, and this binding is for 1")
end)

test("statuses have the names of the library", function()
  for name, number in pairs(native.status) do
    equal(ffi.string(native.lib.mcp_status_name(number)), name)
  end
  equal(native.error_of(-99, nil, "x").message, "x: unknown")
end)

test("a template is expanded", function()
  equal(mcp.expand_template("demo://{name}{?x}", { name = "Ada L." }), "demo://Ada%20L.")
  raises("invalid_argument", mcp.expand_template, "{")
  equal(mcp.version():match("^%d+%.%d+%.%d+") ~= nil, true)
end)

return tests
