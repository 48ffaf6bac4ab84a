// Writes the head of an HTTP/1 request into a buffer: the request line, the fields of the
// application, and those which the client adds because the application did not give them. Lives on
// the stack while a request is built. Any thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "client/origin.h"
#include "proto/http/message.h"

namespace stampede::client::http1 {

enum class Target : uint8_t {
    kPath,      // origin form
    kAbsolute,  // http://host:port/path, which a proxy is asked for
};

enum class Written : uint8_t { kFine, kBadMethod, kBadPath, kBadField };

enum class Connection : uint8_t { kKeep, kClose };

class RequestWriter {
public:
    RequestWriter(Buffer& out, const Origin& origin) : out_(out), origin_(origin) {}

    // Method SP target SP version. Spaces of the path are encoded, and it begins with "/".
    Written line(std::string_view method, std::string_view path, Target target);
    // The body is a form with files: its Content-Type is the writer's.
    void make_multipart() { multipart_ = true; }
    // A field of the application. Those that frame the message are the writer's and left out.
    Written field(std::string_view name, std::string_view value);

    // Unless the application gave it: Host; Connection; Accept-Encoding.
    void host();
    void connection(Connection wanted);
    void accept_encoding();
    // In place of Connection: asks for WebSocket. The key has proto::ws::kKeyLength characters.
    void upgrade(std::string_view key, std::string_view extensions);
    void proxy_authorization(std::string_view user, std::string_view password);

    // One after another; end_cookies() ends the field. Values are percent-encoded.
    void cookie(std::string_view name, std::string_view value);
    void end_cookies();

    void form_type();  // of a urlencoded body, unless there is a Content-Type
    void multipart_type(std::string_view boundary);
    void end(uint64_t body_bytes);
    // Without a body: says so where a method announces one.
    void end_without_body();

    bool has_cookie_field() const { return given_.cookie; }
    proto::http::Method method() const { return method_; }

private:
    // Fields of the application.
    struct Given {
        bool host = false;
        bool connection = false;
        bool accept_encoding = false;
        bool content_type = false;
        bool cookie = false;
    };
    enum class Use : uint8_t { kWrite, kLeaveOut };
    Use judge(std::string_view name);

    Buffer& out_;
    Origin origin_;
    Given given_;
    proto::http::Method method_ = proto::http::Method::kGet;
    bool multipart_ = false;
    bool in_cookies_ = false;
};

// Sending such a request twice does what sending it once does (RFC 9110 9.2.2).
bool is_repeatable(proto::http::Method method);

// "Basic ..." (RFC 7617).
std::string basic_credentials(std::string_view user, std::string_view password);

}  // namespace stampede::client::http1
