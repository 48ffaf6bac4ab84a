#include "client/http1/multipart_writer.h"

#include <algorithm>

namespace stampede::client::http1 {

MultipartWriter::MultipartWriter(Buffer& out, const unsigned char (&chance)[8]) : out_(out) {
    constexpr std::string_view kBegin = "----------------------stampede";
    static_assert(sizeof(boundary_) == kBegin.size() + 2 * sizeof(chance));
    char* to = std::copy(kBegin.begin(), kBegin.end(), boundary_);
    for (unsigned char byte : chance) {
        *to++ = "0123456789abcdef"[byte >> 4];
        *to++ = "0123456789abcdef"[byte & 15];
    }
}

void MultipartWriter::append_quoted(std::string_view text) {
    out_.append('"');
    for (char c : text) {
        switch (c) {
            case '"':
                out_.append("%22");
                break;
            case '\r':
                out_.append("%0D");
                break;
            case '\n':
                out_.append("%0A");
                break;
            default:
                out_.append(c);
        }
    }
    out_.append('"');
}

void MultipartWriter::begin_part(std::string_view name) {
    out_.append("--");
    out_.append(boundary());
    out_.append("\r\nContent-Disposition: form-data; name=");
    append_quoted(name);
}

void MultipartWriter::field(std::string_view name, std::string_view value) {
    begin_part(name);
    out_.append("\r\n\r\n");
    out_.append(value);
    out_.append("\r\n");
}

void MultipartWriter::begin_file(const File& file) {
    begin_part(file.name);
    out_.append("; filename=");
    append_quoted(file.file_name);
    out_.append("\r\nContent-Type: ");
    out_.append(file.type);
    out_.append("\r\n\r\n");
}

void MultipartWriter::end_file() { out_.append("\r\n"); }

void MultipartWriter::end() {
    out_.append("--");
    out_.append(boundary());
    out_.append("--\r\n");
}

}  // namespace stampede::client::http1
