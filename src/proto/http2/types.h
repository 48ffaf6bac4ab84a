// The words of HTTP/2 (RFC 9113) that a Session and its user share. Values; any thread; never
// parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stampede::proto::http2 {

enum class Role : uint8_t { kClient, kServer };

// RFC 9113 7. A peer may send numbers that have no name here.
enum class ErrorCode : uint32_t {
    kNoError = 0,
    kProtocolError = 1,
    kInternalError = 2,
    kFlowControlError = 3,
    kSettingsTimeout = 4,
    kStreamClosed = 5,
    kFrameSizeError = 6,
    kRefusedStream = 7,
    kCancel = 8,
    kCompressionError = 9,
    kConnectError = 10,
    kEnhanceYourCalm = 11,
    kInadequateSecurity = 12,
    kHttp11Required = 13,
};

// "NO_ERROR", "PROTOCOL_ERROR", ...
std::string_view error_name(ErrorCode error);

// RFC 9113 6. A peer may send types that have no name here.
enum class FrameType : uint8_t {
    kData = 0,
    kHeaders = 1,
    kPriority = 2,
    kRstStream = 3,
    kSettings = 4,
    kPushPromise = 5,
    kPing = 6,
    kGoaway = 7,
    kWindowUpdate = 8,
    kContinuation = 9,
};

// The nine bytes that every frame begins with.
struct FrameHead {
    static constexpr size_t kBytes = 9;

    uint32_t length = 0;  // of what follows
    int32_t stream = 0;   // 0: the connection
    FrameType type{};
    uint8_t flags = 0;

    // Of HEADERS and DATA: the peer sends no more on the stream.
    bool ends_stream() const { return (flags & 1) != 0; }
};

struct DataFrame {
    FrameHead head;
    uint32_t payload = 0;  // without padding
};

struct Goaway {
    ErrorCode error = ErrorCode::kNoError;
    int32_t last_stream = 0;  // of those that its sender takes care of
};

enum class HeadKind : uint8_t {
    kRequest,
    kResponse,  // the first head of a response
    kFurther,   // trailers, or a head that follows an interim one
};

struct Field {
    std::string_view name;
    std::string_view value;
};

// Whether more of the same message follows what is sent.
enum class BodyEnd : uint8_t { kMore, kLast };

// RFC 9113 6.5.2.
struct Settings {
    uint32_t header_table_size = 4096;
    uint32_t enable_push = 0;
    uint32_t max_concurrent_streams = 128;
    uint32_t initial_window_size = 1u << 20;
    uint32_t max_frame_size = 16384;
    uint32_t max_header_list_size = 64 * 1024;
    uint32_t enable_connect_protocol = 0;  // RFC 8441
};

enum class WindowUpdates : uint8_t {
    kAtOnce,  // what has come gives its window back by itself
    kByUser,  // by Session::give_window(): the user holds the peer back
};

enum class StreamLimit : uint8_t {
    kEnforced,   // a stream too many ends the connection
    kAnnounced,  // the peer is told of it; the user counts the streams and refuses some
};

enum class Memory : uint8_t {
    kHeap,
    kPooled,  // see memory.h: for the sessions of one thread
};

// How a session differs from another one of the same role.
struct Options {
    Settings settings;  // what this side announces; the connection's window is four streams' one
    WindowUpdates window_updates = WindowUpdates::kAtOnce;
    StreamLimit stream_limit = StreamLimit::kEnforced;
    Memory memory = Memory::kHeap;
};

}  // namespace stampede::proto::http2
