// Fuzzes a form whose files go to the disk: the same body whole and cut at places that the input
// chooses must give the same parts and the same files, and no file stays behind. The first byte of
// the input is the seed of the cuts; the boundary is always "b". And what stands in a file comes
// through as it is, however much it looks like a boundary.
#include <dirent.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "server/form.h"

namespace {

using stampede::server::Form;
using stampede::server::FormLimits;
using stampede::server::FormPart;

const std::string& folder() {
    static const std::string made = [] {
        char name[] = "/dev/shm/stampede-form-fuzz-XXXXXX";
        if (mkdtemp(name) == nullptr) {
            std::abort();
        }
        return std::string(name);
    }();
    static const bool removed_at_end = std::atexit([] { rmdir(folder().c_str()); }) == 0;
    (void)removed_at_end;
    return made;
}

FormLimits small_limits() {
    FormLimits limits;
    limits.folder = folder();
    limits.file_bytes = 50;
    limits.field_bytes = 60;
    limits.fields = 3;
    limits.files = 2;
    limits.syntax.parts = 8;
    limits.syntax.part_head_bytes = 200;
    limits.syntax.part_head_lines = 4;
    limits.syntax.name_bytes = 20;
    limits.syntax.preamble_bytes = 20;
    return limits;
}

std::string content_of(const std::string& path) {
    std::string content;
    FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        std::abort();
    }
    for (int c; (c = std::fgetc(file)) != EOF;) {
        content += static_cast<char>(c);
    }
    std::fclose(file);
    return content;
}

class Taken {
public:
    Taken() : form_("b", small_limits()) {}

    void feed(std::string_view piece) {
        // An allocation of its own, so that a view that outlives its call is seen.
        std::unique_ptr<char[]> copy(new char[piece.size()]);
        piece.copy(copy.get(), piece.size());
        status_ = form_.take({copy.get(), piece.size()});
    }

    std::string text() {
        form_.end();
        std::string text = std::to_string(status_);
        uint32_t counts[2] = {0, 0};
        for (const FormPart& part : form_.parts()) {
            uint32_t count = ++counts[part.is_file ? 1 : 0];
            uint32_t most = part.is_file ? small_limits().files : small_limits().fields;
            bool named = !part.name.empty() && part.name.find('\0') == std::string::npos;
            if (count > most || !named || part.text.size() > small_limits().field_bytes) {
                std::abort();
            }
            text += "\n[" + part.name + "|" + part.text + "|" + part.filename + "|" +
                    part.full_path + "|" + part.content_type + "|" + std::to_string(part.size) +
                    "|" + std::to_string(static_cast<int>(part.fault)) + "]";
            if (!part.path.empty()) {
                std::string content = content_of(part.path);
                if (content.size() != part.size || content.size() > small_limits().file_bytes) {
                    std::abort();
                }
                text += content;
            }
        }
        return text;
    }

    // Of the one file that is there.
    std::string file() {
        form_.end();
        if (status_ != 0 || form_.parts().size() != 1) {
            std::abort();
        }
        return content_of(form_.parts()[0].path);
    }

private:
    Form form_;
    int status_ = 0;
};

void check_nothing_left() {
    DIR* listing = opendir(folder().c_str());
    if (listing == nullptr) {
        std::abort();
    }
    while (const dirent* entry = readdir(listing)) {
        if (entry->d_name[0] != '.') {
            std::fprintf(stderr, "%s was left behind\n", entry->d_name);
            std::abort();
        }
    }
    closedir(listing);
}

std::string take_whole(std::string_view bytes) {
    Taken whole;
    whole.feed(bytes);
    return whole.text();
}

void feed_in_pieces(Taken& cut, std::string_view bytes, unsigned seed) {
    while (!bytes.empty()) {
        seed = seed * 1664525 + 1013904223;
        size_t length = std::min<size_t>(1 + (seed >> 24) % 9, bytes.size());
        cut.feed(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
}

std::string take_in_pieces(std::string_view bytes, unsigned seed) {
    Taken cut;
    feed_in_pieces(cut, bytes, seed);
    return cut.text();
}

constexpr std::string_view kFileHead =
    "--b\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n";
constexpr std::string_view kDelimiter = "\r\n--b";

bool ends_the_part(std::string_view content) {
    std::string text = "\r\n";
    text.append(content).append(kDelimiter);
    for (size_t at = 0; (at = text.find(kDelimiter, at)) + kDelimiter.size() < text.size(); at++) {
        std::string_view next = std::string_view(text).substr(at + kDelimiter.size());
        if (next.starts_with("--") || next[0] == ' ' || next[0] == '\t' || next[0] == '\r') {
            return true;
        }
    }
    return false;
}

void check_content(std::string_view content, unsigned seed) {
    if (content.size() > small_limits().file_bytes || ends_the_part(content)) {
        return;
    }
    std::string body(kFileHead);
    body.append(content).append(kDelimiter).append("--\r\n");
    Taken cut;
    feed_in_pieces(cut, body, seed);
    if (cut.file() != content) {
        std::fprintf(stderr, "the file came out as other bytes\n");
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2 || size > 4096) {
        return 0;
    }
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::string whole = take_whole(bytes);
    std::string cut = take_in_pieces(bytes, data[0]);
    check_content(bytes, data[0]);
    check_nothing_left();
    if (whole != cut) {
        std::fprintf(stderr, "cut input differs.\n--- whole:%s\n--- cut:%s\n", whole.c_str(),
                     cut.c_str());
        std::abort();
    }
    return 0;
}
