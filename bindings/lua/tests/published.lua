--- What users of the binding copy: the code of README.md as printed, and the list of files of the rockspec.

local support = require("tests.support")

local tests, test = support.suite()
local equal = support.equal

local home = support.folder:gsub("/tests$", "")

local function read(name)
  local file = assert(io.open(home .. "/" .. name))
  local text = file:read("*a")
  file:close()
  return text
end

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

test("the code of the page works as printed", function()
  local folder = support.output("mktemp -d"):gsub("%s", "")
  local function write(name, text)
    local file = assert(io.open(folder .. "/" .. name, "w"))
    file:write(text)
    file:close()
  end
  -- Servers get few variables of their client: what is installed on a user's machine is named here.
  local exports = ""
  for _, name in ipairs({ "LUA_PATH", "MCP_LIBRARY" }) do
    local value = os.getenv(name)
    exports = exports .. (value and ("export %s=%s\n"):format(name, quoted(value)) or "")
  end
  write("luajit", "#!/bin/sh\n" .. exports .. "exec " .. quoted(support.luajit) .. ' "$@"\n')
  local blocks = {}
  for block in read("README.md"):gmatch("```lua\n(.-)```") do
    blocks[#blocks + 1] = block
  end
  equal(#blocks, 3)
  write("adder.lua", blocks[1])
  write("client.lua", blocks[2])
  write("editor.lua", blocks[3])
  -- In the example the editor lives on; here until both have answered.
  write("quit.lua", "vim.wait(30000, function() return vim.g.seen == 2 end, 2) vim.cmd('qa!')")
  write("seen.lua", "local own = print; vim.g.seen = 0; function print(...) own(...) vim.g.seen = vim.g.seen + 1 end")
  local run = ("cd %s && chmod +x luajit && PATH=%s:$PATH && "):format(quoted(folder), quoted(folder))
  local commands = { [2] = "luajit client.lua 2>&1" }
  if vim then -- luacheck: globals vim
    commands[3] = "nvim --headless -u NONE -i NONE -n -c 'luafile seen.lua' -c 'luafile editor.lua' -c 'luafile quit.lua' 2>&1"
  end
  local results = {}
  for number, command in pairs(commands) do
    local said, code = support.output(run .. command)
    results[number] = { said, code }
  end
  os.execute("rm -r " .. quoted(folder))
  for number, result in pairs(results) do
    equal(result[2], 0)
    local lines, wanted = {}, {}
    for line in result[1]:gmatch("[^\r\n]+") do
      lines[#lines + 1] = line
    end
    for line in blocks[number]:gmatch("%-%-> ([^\n]+)") do
      wanted[#wanted + 1] = (number == 3 and line:gsub("\t", " ") or line)
    end
    table.sort(lines)
    table.sort(wanted)
    equal(lines, wanted)
  end
end)

test("the rockspec has every module", function()
  local spec = {}
  setfenv(assert(loadfile(home .. "/libmcp-scm-1.rockspec")), spec)()
  local listed, there = {}, { "mcp.lua" }
  for name, file in pairs(spec.build.modules) do
    equal(name:gsub("%.", "/") .. ".lua", file)
    listed[#listed + 1] = file
  end
  for file in support.output("cd " .. quoted(home) .. " && ls mcp/*.lua"):gmatch("%S+") do
    there[#there + 1] = file
  end
  table.sort(listed)
  table.sort(there)
  equal(listed, there)
end)

return tests
