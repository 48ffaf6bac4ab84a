// See mime_registry.h.
#include "server/mime_registry.h"

#include <array>
#include <cctype>

#include "proto/http/mime.h"

namespace stampede::server {
namespace {

constexpr size_t kMaxExtension = 32;

// The extension in lower case; empty when it is too long to be one.
class LowerCase {
public:
    explicit LowerCase(std::string_view text) {
        if (text.size() > buffer_.size()) {
            return;
        }
        for (char c : text) {
            buffer_[size_++] = static_cast<char>(tolower(static_cast<unsigned char>(c)));
        }
    }
    std::string_view view() const { return {buffer_.data(), size_}; }

private:
    std::array<char, kMaxExtension> buffer_;
    size_t size_ = 0;
};

std::string_view extension_of(std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

}  // namespace

MimeRegistry& MimeRegistry::get() {
    static MimeRegistry registry;
    return registry;
}

std::string_view MimeRegistry::find(std::string_view extension) const {
    if (!changes_.empty()) {
        auto found = changes_.find(LowerCase(extension).view());
        if (found != changes_.end()) {
            return found->second;
        }
    }
    return proto::http::mime_type(extension);
}

std::string_view MimeRegistry::find_for_path(std::string_view path) const {
    std::string_view extension = extension_of(path);
    return extension.empty() ? std::string_view() : find(extension);
}

void MimeRegistry::set(std::string_view extension, std::string_view type) {
    changes_.insert_or_assign(std::string(LowerCase(extension).view()), std::string(type));
}

void MimeRegistry::remove(std::string_view extension) { set(extension, ""); }

}  // namespace stampede::server
