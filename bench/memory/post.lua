-- A POST of 100 KiB each time.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/octet-stream"
wrk.body = string.rep("0123456789abcdef", 6400)
