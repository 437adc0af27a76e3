--- The tools of an MCP server as commands of Neovim. Put the folder above into 'runtimepath'.
--
--   :McpStart COMMAND [ARGUMENT…]    starts a server, and reads its tools
--   :McpTools                        shows them
--   :McpCall TOOL [JSON]             calls one; the text of its result comes into a new window
--   :McpStop                         ends the server
--
-- The editor never waits: Neovim's own loop polls the descriptor of the library.

local mcp = require("mcp")

local client
local tools = {}

local function show(text)
  vim.cmd("new")
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = "nofile", "wipe", false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n", { plain = true }))
end

local function complain(failure)
  vim.notify("mcp: " .. tostring(failure), vim.log.levels.ERROR)
end

--- Asks for the fields of a form one after another. The server gets its answer when the last one is there.
local function on_elicitation(params, request)
  request:defer()
  local fields, content = params.requestedSchema.properties, {}
  local names = vim.tbl_keys(fields)
  table.sort(names)
  local function ask(i)
    local name = names[i]
    if not name then
      local ok, why = pcall(request.accept, request, content)
      if not ok then
        complain(why)
        request:cancel()
      end
      return
    end
    vim.ui.input({ prompt = params.message .. " " .. (fields[name].title or name) .. ": " }, function(text)
      if not text then
        return request:cancel()
      end
      local is_number = fields[name].type == "number" or fields[name].type == "integer"
      content[name] = is_number and tonumber(text) or text
      ask(i + 1)
    end)
  end
  ask(1)
end

local function read_tools()
  client:list_tools_async(function(failure, listed)
    if failure then
      return complain(failure)
    end
    tools = listed
    vim.api.nvim_exec_autocmds("User", { pattern = "McpTools" })
  end)
end

local function stop()
  if client then
    client:close()
  end
  client, tools = nil, {}
end

local function start(command)
  stop()
  local ok, made = pcall(mcp.client, {
    command = command.fargs[1],
    args = mcp.array(vim.list_slice(command.fargs, 2)),
    on_elicitation = on_elicitation,
    on_notification = function(method)
      if method == "notifications/tools/list_changed" then
        read_tools()
      end
    end,
  })
  if not ok then
    return complain(made)
  end
  client = made
  client:attach()
  read_tools()
end

local function call(command)
  if not client then
    return complain("start a server first: :McpStart COMMAND")
  end
  local name, json = command.args:match("^(%S+)%s*(.*)$")
  local ok, arguments = pcall(mcp.decode, json == "" and "{}" or json)
  if not ok then
    return complain(arguments)
  end
  local options = {
    on_progress = function(report)
      vim.api.nvim_echo({ { ("%s: %s of %s"):format(name, report.progress, report.total or "?") } }, false, {})
    end,
  }
  client:call_async(name, arguments, options, function(failure, result)
    if failure then
      return complain(failure)
    end
    local text = mcp.text(result) or mcp.encode(result)
    if result.isError then
      return complain(text)
    end
    show(text)
  end)
end

local function complete(lead, line)
  if line:match("^%S+%s+%S+%s") then
    return {}
  end
  local names = vim.tbl_map(function(tool)
    return tool.name
  end, tools)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

vim.api.nvim_create_user_command("McpStart", start, { nargs = "+", complete = "shellcmd" })
vim.api.nvim_create_user_command("McpStop", stop, {})
vim.api.nvim_create_user_command("McpCall", call, { nargs = "+", complete = complete })
vim.api.nvim_create_user_command("McpTools", function()
  local lines = vim.tbl_map(function(tool)
    return tool.name .. ": " .. (tool.description or ""):gsub("\n.*", "")
  end, tools)
  show(table.concat(lines, "\n"))
end, {})
vim.api.nvim_create_autocmd("VimLeavePre", { callback = stop })
