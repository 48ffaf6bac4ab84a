// An incremental parser for multipart/form-data bodies (RFC 7578, 2046): input may be cut anywhere,
// part data is handed on where it lies. Owned by the exchange that reads the body. One thread,
// never parks; memory bounded by the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/buffer.h"

namespace stampede::proto::http {

struct MultipartLimits {
    uint32_t parts = 1000;                 // fields and files together
    uint32_t part_head_bytes = 16 * 1024;  // header lines of one part
    uint32_t part_head_lines = 32;
    uint32_t name_bytes = 4 * 1024;      // name, and file name
    uint32_t preamble_bytes = 4 * 1024;  // before the first boundary
};

// The boundary parameter of a multipart/form-data Content-Type: 1 to 70 legal characters.
// False when it is another type, or the boundary is missing or not legal.
bool extract_boundary(std::string_view content_type, std::string_view& boundary);
// How many boundary parameters the Content-Type of a multipart message has.
size_t count_boundaries(std::string_view content_type);
// Whether a Content-Type value names this media type (parameters and letter case do not matter).
bool is_media_type(std::string_view content_type, std::string_view media_type);

class MultipartParser {
public:
    static constexpr size_t kMaxBoundary = 70;

    enum class Event : uint8_t {
        kNeedMore,   // all input is consumed
        kPartBegin,  // name(), filename() ... are valid until the part's end
        kPartData,   // data() is valid until the next call, or as long as the input
        kPartEnd,
        kDone,  // the last boundary was seen; what follows is ignored
        kBad,   // http_status() says why; every later call says it again
    };

    // boundary must come from extract_boundary().
    MultipartParser(std::string_view boundary, const MultipartLimits& limits);

    // Takes bytes off the front of input until one event is ready.
    Event next(std::string_view& input);

    std::string_view data() const { return data_; }

    // Of the present part.
    std::string_view name() const { return name_; }
    std::string_view filename() const { return filename_; }    // base name only
    std::string_view full_path() const { return full_path_; }  // the file name as sent
    std::string_view content_type() const { return content_type_; }
    bool has_name() const { return has_name_; }
    bool is_file() const { return has_filename_; }

    uint16_t http_status() const { return http_status_; }
    // False when the input ended (call at the end of the body) before the last boundary.
    bool done() const { return state_ == State::kEpilogue; }

private:
    enum class State : uint8_t {
        kPreamble,
        kAfterBoundary,  // a whole delimiter was seen; what follows tells what it was
        kClosing,        // and one '-'
        kPadding,
        kBoundaryLf,
        kHead,
        kData,
        kEpilogue,
        kBad,
    };

    Event read_text(std::string_view& input);
    Event resume_delimiter(std::string_view& input);
    Event give(std::string_view run);
    Event give_back(size_t more);
    Event read_boundary_end(std::string_view& input);
    Event end_part(State next);
    Event read_head(std::string_view& input);
    Event finish_head();
    uint16_t read_head_line(std::string_view line);
    uint16_t read_disposition(std::string_view value);
    uint16_t take_parameter(std::string_view key, std::string_view value);
    std::string_view unescape(std::string_view value);
    Event bad(uint16_t status);

    MultipartLimits limits_;
    State state_ = State::kPreamble;
    bool in_part_ = false;
    bool has_name_ = false;
    bool has_filename_ = false;
    bool has_disposition_ = false;
    bool assumed_line_end_ =
        true;              // the CR LF in matched_ was not sent: the first boundary needs none
    uint8_t matched_ = 2;  // bytes of the delimiter seen so far
    uint8_t delimiter_length_;
    uint16_t http_status_ = 0;
    uint32_t parts_ = 0;
    uint32_t preamble_bytes_ = 0;
    std::string_view data_;
    std::string_view name_;
    std::string_view filename_;
    std::string_view full_path_;
    std::string_view content_type_;
    Buffer head_;
    Buffer values_;                     // name and file name without their escapes
    char delimiter_[kMaxBoundary + 5];  // CR LF "--" boundary, and the '-' that may follow
};

}  // namespace stampede::proto::http
