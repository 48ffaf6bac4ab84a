// The fields that every response has, as text: the date is made once a second. Owned by the
// service; loop thread; never parks.
#pragma once

#include <cstddef>
#include <string_view>

#include "loop/loop.h"
#include "proto/http/message.h"

namespace stampede::server {

class UsualFields {
public:
    explicit UsualFields(loop::Loop& loop);

    // "Sun, 06 Nov 1994 08:49:37 GMT"
    std::string_view date() {
        renew_when_old();
        return {keep_alive_ + kDateOffset, proto::http::kDateLength};
    }
    // "Server: ...\r\nDate: ...\r\nConnection: keep-alive\r\n", and the same with close.
    std::string_view keep_alive() {
        renew_when_old();
        return {keep_alive_, sizeof(kKeepAlive) - 1};
    }
    std::string_view closing() {
        renew_when_old();
        return {closing_, sizeof(kClosing) - 1};
    }

private:
    void renew_when_old() {
        if (loop_.iteration_time() >= valid_until_) {
            renew();
        }
    }
    void renew();

    static constexpr char kKeepAlive[] =
        "Server: stampede\r\nDate: .............................\r\nConnection: keep-alive\r\n";
    static constexpr char kClosing[] =
        "Server: stampede\r\nDate: .............................\r\nConnection: close\r\n";
    static constexpr size_t kDateOffset = sizeof("Server: stampede\r\nDate: ") - 1;

    loop::Loop& loop_;
    Nanos valid_until_ = 0;
    char keep_alive_[sizeof(kKeepAlive)];
    char closing_[sizeof(kClosing)];
};

}  // namespace stampede::server
