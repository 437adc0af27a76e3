--- What clients and servers share: messages are taken on the thread that polls, and functions of the program run one after another.

local native = require("mcp.native")

local lib = native.lib
local EMPTY, WOKEN, CLOSED = native.status.empty, native.status.woken, native.status.closed

local M = {}

--- How long one wait in C lasts at most, in milliseconds: between two the interpreter sees Ctrl-C.
M.SLICE = 200
--- How long a client waits before its server of the same program, which also hears from timers of the library, has its turn again.
M.TURN = 10
--- How many messages one poll takes, so that an event loop comes to its other work.
M.MOST = 256
--- How many calls of functions of the program may wait while another runs.
M.WAITING = 1024
--- How many questions may be answered inside of each other.
M.DEPTH = 8

-- Failures -----------------------------------------------------------------------------------------------------------------------

--- Where a failure goes that has no caller: what failed, and the error with its traceback.
function M.tell(what, trace)
  local text = what .. " failed: " .. trace
  if vim and vim.schedule then -- luacheck: globals vim
    vim.schedule(function()
      vim.notify(text, vim.log.levels.ERROR)
    end)
  else
    io.stderr:write(text, "\n")
  end
end

--- Tells the program's function of failures, or stderr.
function M.report(self, what, trace)
  local own = self.on_failure
  if own then
    local ok, why = pcall(own, what, trace)
    if ok then
      return
    end
    M.tell("on_failure", tostring(why))
  end
  M.tell(what, trace)
end

--- An error with the place where it was raised.
local function traced(failure)
  return { failure = failure, trace = debug.traceback(tostring(failure), 2) }
end

--- Calls a function of the program; gives whether it worked, and what it gave or `{failure, trace}`. What runs meanwhile is counted.
function M.run(self, fn, ...)
  local arguments, count = { ... }, select("#", ...)
  self.running = self.running + 1
  local ok, one, two = xpcall(function()
    return fn(unpack(arguments, 1, count))
  end, traced)
  self.running = self.running - 1
  if not ok and (type(one) ~= "table" or not one.trace) then
    -- The stack was full, also for the traceback.
    one = { failure = one, trace = tostring(one) }
  end
  return ok, one, two
end

local function now(self, what, fn, ...)
  local ok, failed = M.run(self, fn, ...)
  if not ok then
    M.report(self, what, failed.trace)
  end
end

--- Calls what waits, the oldest first.
local function catch_up(self)
  while self.running == 0 and self.first <= self.last do
    local one = self.waiting[self.first]
    self.waiting[self.first] = nil
    self.first = self.first + 1
    now(self, one.what, one.fn, unpack(one, 1, one.count))
  end
  if self.running == 0 and self.lost > 0 then
    local lost = self.lost
    self.lost = 0
    if self.on_lost then
      now(self, "on_lost", self.on_lost, lost)
    end
  end
end

--- Has a function of the program called, after those before it: a handler that waits for a call does not get the next notification
-- meanwhile. `is_outcome` is what must not be dropped; of the rest at most WAITING wait.
function M.deliver(self, is_outcome, what, fn, ...)
  if self.running == 0 and self.first > self.last then
    return now(self, what, fn, ...)
  end
  if not is_outcome and self.last - self.first + 1 >= M.WAITING then
    self.lost = self.lost + 1
    return
  end
  self.last = self.last + 1
  self.waiting[self.last] = { what = what, fn = fn, count = select("#", ...), ... }
end

-- Polling ------------------------------------------------------------------------------------------------------------------------

--- What a client or a server has for these functions. `poll` is the function of C, `dispatch` the one for a message.
function M.init(self, poll, fd, dispatch)
  self.running, self.waiting, self.first, self.last, self.lost = 0, {}, 1, 0, 0
  self._poll, self._fd, self._dispatch = poll, fd, dispatch
  self._out = require("ffi").new("mcp_message_t *[1]")
end

--- Takes one message of one object: true; false if none came in time; nil when nothing will come any more.
local function take_own(self, milliseconds)
  if not self.handle then
    return nil
  end
  local out = self._out
  local status = lib[self._poll](self.handle, milliseconds, out)
  local taken
  if status == native.status.ok then
    self._dispatch(self, out[0])
    taken = true
  elseif status == EMPTY or status == WOKEN then
    taken = false
  elseif status ~= CLOSED then
    error(native.error_of(status, nil, "poll"), 0)
  end
  catch_up(self)
  if self._settle then
    self:_settle()
  end
  return taken
end

--- Takes one message. A client of a server of this program takes turns with it: no other thread runs the handlers meanwhile.
function M.take(self, milliseconds)
  local peer = self.peer
  if not peer then
    return take_own(self, milliseconds)
  end
  while true do
    local served = take_own(peer, 0)
    local taken = take_own(self, served and 0 or math.min(milliseconds, M.TURN))
    if taken ~= false or (not served and milliseconds <= M.TURN) then
      return taken
    end
    milliseconds = served and milliseconds or milliseconds - M.TURN
  end
end

--- Takes what has come, and before that waits up to so many seconds for something; 0 without a time. Gives the number of messages,
-- or nil when nothing will come any more: take the descriptor out of the event loop then.
function M.poll(self, seconds)
  local left = native.milliseconds(seconds, "poll", 0)
  local taken = M.take(self, math.min(left, M.SLICE))
  while taken == false and left > M.SLICE do
    left = left - M.SLICE
    taken = M.take(self, math.min(left, M.SLICE))
  end
  local count = 0
  while taken do
    count = count + 1
    if count == M.MOST then
      return count
    end
    taken = M.take(self, 0)
  end
  if taken == nil and count == 0 then
    return nil
  end
  return count
end

--- The descriptor for an event loop: call `poll` when it is readable.
function M.fd(self)
  M.open(self, "fd")
  local fd = lib[self._fd](self.handle)
  if fd < 0 then
    error(native.error_of(fd, nil, "fd"), 0)
  end
  return fd
end

--- The handle, or the error that it is closed.
function M.open(self, operation)
  if not self.handle then
    error(native.error("closed", operation .. ": the " .. self.noun .. " is closed", operation), 0)
  end
  return self.handle
end

--- Has a loop of libuv poll: that of Neovim (`vim.uv`), or `require("luv")`. The functions of the program run by `schedule`, in Neovim
-- `vim.schedule`, where its whole API may be called. It ends with `detach`, and when nothing will come any more.
function M.attach(self, uv, schedule)
  M.open(self, "attach")
  M.detach(self)
  uv = uv or vim and (vim.uv or vim.loop) or require("luv")
  schedule = schedule or vim and vim.schedule or function(fn)
    fn()
  end
  local watch = assert(uv.new_poll(M.fd(self)))
  self._watch = watch
  local ready
  local function work()
    if self._watch ~= watch then
      return
    end
    local ok, count = pcall(M.poll, self, 0)
    if not ok then
      M.report(self, "poll", tostring(count))
    end
    -- A function of the program may have closed it.
    if self._watch == watch then
      if ok and count then
        watch:start("r", ready)
      else
        M.detach(self)
      end
    end
  end
  -- Readable until it is polled: it is not watched until the loop comes to that.
  function ready()
    watch:stop()
    schedule(work)
  end
  watch:start("r", ready)
end

--- Ends what `attach` began.
function M.detach(self)
  local watch = self._watch
  self._watch = nil
  if watch then
    watch:stop()
    watch:close()
  end
end

-- Coroutines ---------------------------------------------------------------------------------------------------------------------

--- Coroutines in which calls wait by yielding.
local ours = setmetatable({}, { __mode = "k" })

local function resume(co, ...)
  local ok, why = coroutine.resume(co, ...)
  if not ok then
    M.tell("a function of mcp.spawn", debug.traceback(co, tostring(why)))
  end
end

--- Runs a function as a coroutine. A call in it yields until its outcome is there, and the event loop of the program, which polls the
-- client, goes on meanwhile.
function M.spawn(fn, ...)
  local co = coroutine.create(fn)
  ours[co] = true
  resume(co, ...)
  return co
end

--- The coroutine of `spawn` that runs, if one does.
function M.current()
  local co = coroutine.running()
  return co and ours[co] and co or nil
end

M.resume = resume

return M
