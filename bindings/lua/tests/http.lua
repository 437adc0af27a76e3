--- Servers over HTTP, and logins there.

local mcp = require("mcp")
local support = require("tests.support")

local tests, test = support.suite()
local equal, has, raises, eventually = support.equal, support.has, support.raises, support.eventually

local ERAS = { "legacy", "modern" }

--- Runs a function with a server of this script and a client of it.
local function with(script, settings, fn)
  local web = support.web(script)
  settings.url = web.url
  local client = mcp.client(settings)
  local ok, why = xpcall(fn, support.traced, client, web)
  client:close()
  web.kill()
  if not ok then
    error(why, 0)
  end
end

test("calls over HTTP have results, deadlines, cancellations and questions", function()
  for _, era in ipairs(ERAS) do
    local function on_elicitation()
      return { name = "Ada" }
    end
    with("--era " .. era, { protocol = era, on_elicitation = on_elicitation }, function(client, web)
      equal(mcp.text(client:call("echo", { text = "é" })), "é")
      raises("timeout", client.call, client, "never", nil, { timeout = 0.05 })
      has(mcp.text(client:call("ask", { method = "elicitation/create" })), "Ada")
      local before = web.stats()
      local call = client:call_async("never")
      eventually(function()
        return web.stats().rpc["tools/call"] > before.rpc["tools/call"]
      end, client)
      call:cancel()
      raises("cancelled", call.wait, call)
      eventually(function()
        local now = web.stats()
        local told = (now.rpc["notifications/cancelled"] or 0) + now.abandoned
        return told > (before.rpc["notifications/cancelled"] or 0) + before.abandoned
      end, client)
    end)
  end
end)

test("a server over HTTP is killed under calls and the next one on its port is used", function()
  for _, era in ipairs(ERAS) do
    local web = support.web("--era " .. era)
    local client = mcp.connect({ url = web.url, protocol = era, reconnect = { initial_ms = 10 } })
    local outcomes, sum = {}, 0
    for i = 1, 50 do
      client:call_async("never", function(failure)
        outcomes[i] = (outcomes[i] or 0) + 1
        equal(failure.status, "transport")
        sum = sum + 1
      end)
    end
    eventually(function()
      return web.stats().rpc["tools/call"] == 50
    end, client)
    web.kill()
    eventually(function()
      return sum == 50
    end, client)
    equal(#outcomes, 50)
    local next_one = support.web("--era " .. era, web.port)
    local got
    local stop = os.time() + support.PATIENCE
    repeat
      local ok, result = pcall(client.call, client, "echo", { text = "back" }, { when_unavailable = "wait" })
      got = ok and mcp.text(result)
    until got or os.time() > stop
    equal(got, "back")
    client:close()
    next_one.kill()
    equal(sum, 50)
  end
end)

test("a login comes back to the library or to the program", function()
  for _, era in ipairs(ERAS) do
    local kinds = {}
    local function on_login(login)
      kinds[#kinds + 1] = login.kind
      equal({ login.listens, type(login.issuer) }, { true, "string" })
      support.browse(login.url)
    end
    with("login=yes", { protocol = era, auth = {}, on_login = on_login }, function(client, web)
      equal(mcp.text(client:call("echo", { text = "in" }, { timeout = support.PATIENCE })), "in")
      equal(kinds, { "authorize" })
      equal(web.stats().violations, mcp.array())
      client:logout(support.PATIENCE)
    end)
  end
  local function on_login(login)
    equal(login.listens, false)
    raises("auth", login.complete, login, "com.example.app:/callback?code=x&state=another")
    local _, location = support.get(login.url)
    login:complete(location)
  end
  local auth = { redirect_uri = "com.example.app:/callback" }
  with("login=yes", { auth = auth, on_login = on_login }, function(client)
    equal(mcp.text(client:call("echo", { text = "in" }, { timeout = support.PATIENCE })), "in")
  end)
end)

test("a login that is given up, refused or has no handler ends its calls", function()
  local function on_failure() end
  for _, row in ipairs({
    {
      "login=yes",
      function()
        error("closed the\0window", 0)
      end,
      "closed the",
    },
    {
      "login=yes",
      function(login)
        login:abort("no time")
      end,
      "no time",
    },
    { "login=yes", nil, "the program has no function for logins" },
    {
      "login=no",
      function(login)
        support.browse(login.url)
      end,
      "access_denied",
    },
  }) do
    with(row[1], { auth = {}, on_login = row[2], on_failure = on_failure }, function(client)
      has(raises("auth", client.call, client, "echo", {}, { timeout = support.PATIENCE }).message, row[3])
    end)
  end
end)

test("a program gives a token and keeps logins", function()
  local function give(login)
    equal(login.kind, "token")
    login:supply("sesame", 3600)
  end
  with("token=sesame", { auth = { type = "bearer" }, on_login = give }, function(client)
    equal(mcp.text(client:call("echo", { text = "in" }, { timeout = support.PATIENCE })), "in")
  end)
  local kept, asked, later = {}, {}, nil
  local function keep(login)
    asked[login.kind] = (asked[login.kind] or 0) + 1
    if login.kind == "load" then
      return kept[login.key]
    elseif login.kind == "save" then
      kept[login.key] = login.text
    elseif login.kind == "authorize" then
      later = login:defer()
    end
  end
  with("login=yes", { auth = { store = "application" }, on_login = keep }, function(client)
    local got
    client:call_async("echo", { text = "in" }, { timeout = support.PATIENCE }, function(failure, result)
      got = failure and failure.message or mcp.text(result)
    end)
    eventually(function()
      return later
    end, client)
    support.browse(later.url)
    eventually(function()
      return got
    end, client)
    equal(got, "in")
  end)
  equal({ asked.authorize, asked.load > 0, asked.save > 0, next(kept) ~= nil }, { 1, true, true, true })
end)

test("skills are listed, loaded and checked", function()
  local client = mcp.connect(support.scripted({ "--era", "modern", "skills" }))
  local skills = client:list_skills()
  equal(#skills > 1, true)
  local loaded, refused = 0, 0
  for _, entry in ipairs(skills) do
    equal(client:get_skill(entry.uri).uri, entry.uri)
    local ok, result = pcall(client.load_skill, client, entry)
    if ok then
      loaded = loaded + 1
      equal(type(mcp.text(result)), "string")
    else
      refused = refused + 1
      equal(mcp.is_error(result), true)
    end
  end
  equal({ loaded > 0, refused > 0 }, { true, true })
  client:close()
end)

return tests
