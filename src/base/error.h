// Errors as values: eight bytes, no text, no last-error global. Text is made at the edges (log,
// ext/zend/throw). Owned by value, any thread, never parks.
#pragma once

#include <cerrno>
#include <cstdint>
#include <utility>
#include <variant>

namespace stampede {

enum class Domain : uint32_t {
    kNone = 0,
    kSystem,  // code is an errno
    kServer,  // code is one of ServerError
};

enum class ServerError : uint32_t {
    kClosed = 1,  // stale handle or peer gone
    kLimit,       // a configured limit was reached
    kBadAddress,  // the address cannot be parsed
    kState,       // the call does not fit the object's state
};

class [[nodiscard]] Error {
public:
    constexpr Error() = default;
    constexpr Error(Domain domain, uint32_t code) : domain_(domain), code_(code) {}
    static Error last_errno() { return Error(Domain::kSystem, static_cast<uint32_t>(errno)); }
    static constexpr Error system(int code) {
        return Error(Domain::kSystem, static_cast<uint32_t>(code));
    }
    static constexpr Error server(ServerError code) {
        return Error(Domain::kServer, static_cast<uint32_t>(code));
    }

    constexpr explicit operator bool() const { return domain_ != Domain::kNone; }
    constexpr Domain domain() const { return domain_; }
    constexpr uint32_t code() const { return code_; }
    constexpr bool is_system(int code) const {
        return domain_ == Domain::kSystem && code_ == static_cast<uint32_t>(code);
    }
    constexpr bool is(ServerError code) const {
        return domain_ == Domain::kServer && code_ == static_cast<uint32_t>(code);
    }
    constexpr bool operator==(const Error&) const = default;

private:
    Domain domain_ = Domain::kNone;
    uint32_t code_ = 0;
};

static_assert(sizeof(Error) == 8);

// A value or an Error. `if (!result) return result.error();`
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    Result(Error error) : value_(error) {}         // NOLINT(google-explicit-constructor)

    explicit operator bool() const { return value_.index() == 0; }
    T& operator*() { return std::get<0>(value_); }
    T* operator->() { return &std::get<0>(value_); }
    Error error() const { return value_.index() == 1 ? std::get<1>(value_) : Error(); }

private:
    std::variant<T, Error> value_;
};

}  // namespace stampede
