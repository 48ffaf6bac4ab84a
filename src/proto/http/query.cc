#include "proto/http/query.h"

namespace stampede::proto::http {

bool PairReader::next(std::string_view& key, std::string_view& value) {
    while (!rest_.empty()) {
        size_t end = rest_.find('&');
        std::string_view pair = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        size_t equals = pair.find('=');
        key = pair.substr(0, equals);
        value = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
        if (!key.empty()) {
            return true;
        }
    }
    return false;
}

}  // namespace stampede::proto::http
