--- What a login needs of the program: a person, a credential, stored logins or a signature (docs/guide/authorization.md).

local ffi = require("ffi")
local loop = require("mcp.loop")
local native = require("mcp.native")

local lib = native.lib

local M = {}

local Login = { __name = "mcp.Login" }
Login.__index = Login

--- Hands over where the browser was sent to, the whole URL.
function Login:complete(url)
  native.call("login", "mcp_client_complete_login", loop.open(self.client, "login"), native.text(url, "url"))
end

--- Gives the credential that was asked for; `seconds` is how long it is valid, if that is known.
function Login:supply(credential, seconds)
  local lasts = native.milliseconds(seconds, "lasts", -1)
  native.call("login", "mcp_client_supply_credential", loop.open(self.client, "login"), native.text(credential, "credential"), lasts)
end

--- Gives the login up: calls that wait for it end with the status "auth".
function Login:abort(reason)
  native.call("login", "mcp_client_abort_login", loop.open(self.client, "login"), reason and native.text(reason, "reason"))
end

--- Answers "load", "save" and "sign": with the stored text or the signature, nil for none. `failure` is why there is no answer.
function Login:answer(text, failure)
  local message = self.message
  if not message then
    native.refuse("login", "it has its answer already")
  end
  self.message = nil
  text, failure = text and native.text(text, "answer"), failure and native.text(failure, "failure")
  local ok, why = pcall(native.call, "login", "mcp_client_answer_auth", loop.open(self.client, "login"), message, text, failure)
  lib.mcp_message_free(ffi.gc(message, nil))
  if not ok then
    error(why, 0)
  end
end

--- Has the handler answer later.
function Login:defer()
  self.is_deferred = true
  return self
end

local ANSWERED = { load = true, save = true, sign = true }

--- Asks the program, and answers for it where it does not: calls would wait as long as a person may take.
function M.run(self, message)
  local fields = native.value_of(message)
  local login = setmetatable(fields, Login)
  login.client, login.message = self, ffi.gc(message, lib.mcp_message_free)
  local is_answered = ANSWERED[login.kind]
  local ok, value = false, { trace = "the client has no on_login", failure = "the program has no function for logins" }
  if self.on_login then
    ok, value = loop.run(self, self.on_login, login)
    if not ok then
      loop.report(self, "on_login", value.trace)
    end
  end
  if ok and (login.is_deferred or not is_answered or not login.message) then
    return
  end
  local why = not ok and native.printable(tostring(value.failure)) or nil
  local done, wrong
  if is_answered and login.message then
    done, wrong = pcall(login.answer, login, ok and value or nil, why)
  elseif not is_answered and login.kind ~= "unlock" then
    done, wrong = pcall(login.abort, login, why)
  else
    return
  end
  if not done then
    loop.report(self, "the answer to a login", tostring(wrong))
  end
end

return M
