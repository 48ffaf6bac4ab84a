// The arguments of a whole Redis request (an array of bulk strings), as the Framer's kRedis finds
// it. Looks at bytes that somebody else keeps; any thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stampede::proto::frame {

// The head of an array or bulk string that begins here: its letter, a number and CRLF.
struct RedisHead {
    int64_t number = 0;
    size_t size = 0;  // of the head; 0 = it is not complete
};
// False: it is none.
bool read_redis_head(std::string_view bytes, char letter, RedisHead& head);

class RedisArguments {
public:
    explicit RedisArguments(std::string_view request);
    size_t count() const { return count_; }
    // In order, each once; at most count().
    std::string_view next();

private:
    std::string_view rest_;
    size_t count_ = 0;
};

}  // namespace stampede::proto::frame
