// Writes the text between the contents of a form with files (RFC 7578): the contents themselves are
// sent from where they lie. Any thread, never parks.
#pragma once

#include <string_view>

#include "base/buffer.h"

namespace stampede::client::http1 {

class MultipartWriter {
public:
    // chance makes the boundary one that the contents do not hold.
    MultipartWriter(Buffer& out, const unsigned char (&chance)[8]);

    void field(std::string_view name, std::string_view value);
    // A file's content is sent after this, and end_file() after the content. The type must be a
    // valid value of a field.
    struct File {
        std::string_view name;
        std::string_view file_name;
        std::string_view type;
    };
    void begin_file(const File& file);
    void end_file();
    void end();

    std::string_view boundary() const { return {boundary_, sizeof(boundary_)}; }

private:
    void begin_part(std::string_view name);
    void append_quoted(std::string_view text);

    Buffer& out_;
    char boundary_[46];
};

}  // namespace stampede::client::http1
