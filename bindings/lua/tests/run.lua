--- Runs the tests, and reports as `go test -v` does: luajit run.lua [PART OF A NAME]. Neovim takes the part from MCP_TEST_ONLY.

local support = require("tests.support")

local only = os.getenv("MCP_TEST_ONLY") or (arg and arg[1]) or ""
local prefix = vim and "nvim: " or "luajit: " -- luacheck: globals vim
local failed, ran = 0, 0

local function say(text)
  io.stdout:write(text, "\n")
  io.stdout:flush()
end

local files = { "json", "client", "handlers", "life", "server", "http", "load", "view", "published", vim and "plugin" }
for _, file in ipairs(files) do
  for _, test in ipairs(require("tests." .. file)) do
    local name = prefix .. test.name
    if name:find(only, 1, true) then
      local shown = name:gsub("%W+", "_")
      say("=== RUN   " .. shown)
      ran = ran + 1
      local ok, why = xpcall(test.fn, support.traced)
      if not ok then
        failed = failed + 1
        say("    " .. why:gsub("\n", "\n    "))
      end
      say(("--- %s: %s"):format(ok and "PASS" or "FAIL", shown))
    end
  end
end
if ran == 0 then
  say("no test has " .. only .. " in its name")
end
os.exit(failed == 0 and ran > 0 and 0 or 1)
