-- A form of 100 KiB with one file each time.
wrk.method = "POST"
wrk.headers["Content-Type"] = "multipart/form-data; boundary=xxxx"
wrk.body = "--xxxx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--xxxx\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n"
    .. string.rep("0123456789abcdef", 6400) .. "\r\n--xxxx--\r\n"
