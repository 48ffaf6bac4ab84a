// The fields of an HTTP/2 request: the pseudo-fields first, then those of the application as far as
// HTTP/2 has them, then what the client adds. Kept by the client while a request is made. Any
// thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/origin.h"
#include "proto/http2/types.h"

namespace stampede::client::http2 {

class RequestFields {
public:
    // False when the method is no token or the path holds blanks or control characters. A path that
    // does not begin with "/" is given one.
    bool begin(std::string_view method, std::string path, const Origin& origin);
    // A field of the application; those of a connection are left out, Host becomes :authority.
    // False when the name or the value is not valid.
    bool add(std::string_view name, std::string value);
    void add_cookie(std::string_view name, std::string_view value);
    // Unless the application gave them.
    void add_accept_encoding();
    void add_form_type();
    void add_content_length(uint64_t length);

    // Valid until the next change.
    std::vector<proto::http2::Field> list() const;

private:
    std::vector<std::pair<std::string, std::string>> fields_;
    bool content_type_ = false;
    bool accept_encoding_ = false;
};

}  // namespace stampede::client::http2
