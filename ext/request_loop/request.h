// A request as the worker sends it to the request loop: the fields of a CGI request, then the body.
// PHP thread of a forked child; blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stampede::request_loop {

// Both are followed by a NUL. PHP gets bare pointers to them.
struct Field {
    std::string_view name;
    std::string_view value;
};

class Request {
public:
    explicit Request(int connection) : connection_(connection) {}

    // Waits for the next one as long as the worker keeps the connection. False: there is none, as
    // the worker has closed it, or is gone.
    bool receive();

    std::span<const Field> fields() const { return fields_; }
    // Null when there is no field of that name.
    const char* field(std::string_view name) const;

    uint64_t body_size() const { return body_size_; }
    // Waits for all that was wanted; less is the end of the body, or of the connection.
    size_t read_body(char* out, size_t wanted);
    // What no script has read stands before the next request in the connection.
    void discard_body();

private:
    bool read(char* out, size_t wanted);
    bool parse();

    static constexpr size_t kAhead = 16UL << 10;

    int connection_;
    // What came with the first bytes of the request. All of it is the request's: the worker sends
    // the next one when this one has ended.
    std::array<char, kAhead> ahead_{};
    size_t ahead_begin_ = 0;
    size_t ahead_end_ = 0;
    std::string head_;
    std::vector<Field> fields_;
    uint64_t body_size_ = 0;
    uint64_t body_left_ = 0;
};

// The head of a request in the form that receive() reads.
class RequestHead {
public:
    explicit RequestHead(uint64_t body_size);
    void add(std::string_view name, std::string_view value);
    // The whole of it. Nothing can be added afterwards.
    std::string_view bytes();

private:
    std::string bytes_;
};

}  // namespace stampede::request_loop
