--- The example plugin, in a real Neovim.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises = support.equal, support.has, support.raises

local uv = vim.uv or vim.loop
local example = os.getenv("MCP_EXAMPLE_SERVER")

vim.opt.runtimepath:prepend((support.folder:gsub("/tests$", "/examples/nvim")))
vim.cmd("runtime plugin/mcp.lua")

local told = {}
vim.notify = function(text)
  told[#told + 1] = text
end

local function wait(condition)
  if not vim.wait(support.PATIENCE * 1000, condition, 2) then
    error("it did not happen in time; told: " .. table.concat(told, "; "), 2)
  end
end

--- The text of the window that a command opens.
local function shown(command)
  local windows = #vim.api.nvim_list_wins()
  vim.cmd(command)
  wait(function()
    return #vim.api.nvim_list_wins() > windows
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.cmd("close")
  return text
end

local function start(command)
  local is_read = false
  vim.api.nvim_create_autocmd("User", {
    pattern = "McpTools",
    once = true,
    callback = function()
      is_read = true
    end,
  })
  vim.cmd("McpStart " .. command)
  wait(function()
    return is_read
  end)
end

test("a plugin lists and calls tools and the editor goes on meanwhile", function()
  local before = support.holdings()
  start(example)
  has(shown("McpTools"), "echo: ")
  equal(vim.fn.getcompletion("McpCall ec", "cmdline"), { "echo" })
  equal(shown('McpCall echo {"text":"grüße\\nzwei"}'), "grüße\nzwei")
  local ticks, timer = 0, uv.new_timer()
  timer:start(0, 5, function()
    ticks = ticks + 1
  end)
  local pid = tonumber(shown("McpCall pid"))
  local said = shown('McpCall slow {"ms":200,"steps":4}')
  timer:stop()
  timer:close()
  equal({ said ~= "", ticks > 10, support.alive(pid) }, { true, true, true })
  vim.cmd("McpStop")
  equal(support.alive(pid), false)
  support.nothing_left(before)
end)

test("a plugin asks the person for the fields of a form", function()
  local prompts, answer = {}, "blue"
  vim.ui.input = function(options, done)
    prompts[#prompts + 1] = options.prompt
    vim.schedule(function()
      done(answer)
    end)
  end
  start(example)
  equal(shown('McpCall ask {"question":"Colour?"}'), "blue")
  has(prompts[1], "Colour? ")
  answer = nil
  equal(shown('McpCall ask {"question":"Colour?"}'), "No answer: cancel")
  vim.cmd("McpStop")
end)

test("a plugin tells what fails", function()
  local function tells(command, part)
    told = {}
    vim.cmd(command)
    wait(function()
      return #told > 0
    end)
    has(told[1], part)
  end
  tells("McpCall echo", "start a server first")
  tells("McpStart /no/such/server", "/no/such/server")
  start(example)
  tells("McpCall no-such-tool", "no-such-tool")
  tells("McpCall fail", "always fails")
  tells("McpCall echo {", "the text ends at byte 1")
  told = {}
  vim.cmd("McpStop")
end)

test("the loop of the editor polls until the client is closed or has ended", function()
  local before = support.holdings()
  local client = mcp.client(support.example(nil, { reconnect = { max_attempts = 0 } }))
  client:attach()
  client:attach()
  local got = {}
  mcp.spawn(function()
    equal(vim.in_fast_event(), false)
    for i = 1, 3 do
      got[i] = mcp.text(client:call("echo", { text = "n" .. i }))
      equal(vim.in_fast_event(), false)
    end
  end)
  wait(function()
    return #got == 3
  end)
  equal(got, { "n1", "n2", "n3" })
  local failure
  client:call_async("crash", function(why)
    failure = why
    client:detach()
    client:close()
  end)
  wait(function()
    return failure
  end)
  equal(failure.status, "transport")
  raises("closed", client.attach, client)
  support.nothing_left(before)
end)

test("a server runs in the loop of the editor", function()
  local before = support.holdings()
  local server = mcp.server({ name = "editor", version = "1.0" })
  server:add_tool({ name = "line" }, function(given)
    return vim.api.nvim_buf_get_lines(0, given.number - 1, given.number, true)[1]
  end)
  local client = mcp.client({ url = server:serve("http://127.0.0.1:0/mcp").url })
  server:attach()
  client:attach()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "one", "two" })
  local text
  client:call_async("line", { number = 2 }, function(failure, result)
    text = failure and tostring(failure) or mcp.text(result)
  end)
  wait(function()
    return text
  end)
  equal(text, "two")
  client:close()
  server:close()
  support.nothing_left(before)
end)

return tests
