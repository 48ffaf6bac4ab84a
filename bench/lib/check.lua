-- Compares every response with the file that is the argument: wrk itself looks at the status alone.
local threads = {}
wrong = 0

function setup(thread)
    table.insert(threads, thread)
end

function init(args)
    local file = io.open(args[1], "rb")
    expected = file:read("*a")
    file:close()
end

function response(status, headers, body)
    if status ~= 200 or body ~= expected then
        wrong = wrong + 1
    end
end

function done(summary, latency, requests)
    local sum = 0
    for _, thread in ipairs(threads) do
        sum = sum + thread:get("wrong")
    end
    io.write(string.format("Wrong responses: %d\n", sum))
end
