-- For wrk: the request is in the environment, and each answer must be the text that was sent.
wrk.method = "POST"

local threads = {}
local before, after = os.getenv("BODY"):match('^(.*"id":)10(.*)$')
local id = 9
wrong = 0

-- Requests that are under way in one session need ids of their own.
function request()
    id = id + 1
    return wrk.format(nil, nil, nil, before .. id .. after)
end

function setup(thread)
    table.insert(threads, thread)
end

function response(status, headers, body)
    if status ~= 200 or not body:find(os.getenv("TEXT"), 1, true) or body:find('"error"', 1, true) then
        wrong = wrong + 1
    end
end

function done(summary, latency)
    local sum = 0
    for _, thread in ipairs(threads) do sum = sum + thread:get("wrong") end
    local errors = summary.errors
    local lost = errors.connect + errors.read + errors.write + errors.timeout
    print(string.format("done calls=%d us=%d wrong=%d lost=%d p50=%d p99=%d", summary.requests, summary.duration, sum, lost,
        latency:percentile(50), latency:percentile(99)))
end
