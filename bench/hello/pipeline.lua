-- wrk sends requests sixteen at a time on every connection.
init = function(args)
    local requests = {}
    for i = 1, 16 do
        requests[i] = wrk.format(nil, "/")
    end
    batch = table.concat(requests)
end

request = function()
    return batch
end
