#include "classes/http/parsed_request.h"

#include <algorithm>

#include "proto/http1/request_parser.h"

namespace stampede::classes {

using proto::http::ParseStatus;

namespace {

void read_flag(HashTable* given, std::string_view name, bool& out) {
    zval* value = zend_hash_str_find(given, name.data(), name.size());
    if (value != nullptr) {
        out = zend_is_true(value);
    }
}

}  // namespace

ParsedRequest::ParsedRequest(HashTable* given) {
    if (given == nullptr) {
        return;
    }
    read_flag(given, "parse_cookie", options_.parse_cookie);
    read_flag(given, "parse_body", options_.parse_body);
    read_flag(given, "parse_files", options_.files_as_in_php);
    read_flag(given, "enable_compression", compression_.enabled);
    zval* level = zend_hash_str_find(given, ZEND_STRL("compression_level"));
    if (level != nullptr) {
        compression_.level = static_cast<int>(std::clamp<zend_long>(zval_get_long(level), 0, 22));
    }
    zval* limit = zend_hash_str_find(given, ZEND_STRL("package_max_length"));
    if (limit != nullptr && zval_get_long(limit) > 0) {
        options_.body_limit = static_cast<uint64_t>(zval_get_long(limit));
    }
    zval* dir = zend_hash_str_find(given, ZEND_STRL("upload_tmp_dir"));
    if (dir != nullptr && Z_TYPE_P(dir) == IS_STRING) {
        upload_dir_.assign(Z_STRVAL_P(dir), Z_STRLEN_P(dir));
        options_.upload_dir = upload_dir_.c_str();
    }
}

int64_t ParsedRequest::take(std::string_view data) {
    int64_t taken = 0;
    if (state_ == State::kHead) {
        taken = take_head(data);
        if (taken < 0 || state_ == State::kHead) {
            return taken;
        }
        data.remove_prefix(static_cast<size_t>(taken));
    }
    if (state_ != State::kBody) {
        return state_ == State::kBad ? -1 : taken;
    }
    int64_t more = take_body(data);
    return more < 0 ? -1 : taken + more;
}

int64_t ParsedRequest::take_head(std::string_view data) {
    size_t before = head_bytes_.size();
    head_bytes_.append(data);
    (void)head_bytes_.reserve(proto::http1::kPadding);
    auto result = proto::http1::parse_request_head(head_bytes_.data(), head_bytes_.size(), before,
                                                   limits_, head_);
    if (result.status == ParseStatus::kNeedMore) {
        return static_cast<int64_t>(data.size());
    }
    bool too_large = head_.has_content_length && head_.content_length > options_.body_limit;
    if (result.status == ParseStatus::kBad || too_large) {
        state_ = State::kBad;
        return -1;
    }
    bool has_body = head_.chunked || head_.content_length > 0;
    state_ = has_body ? State::kBody : State::kComplete;
    return static_cast<int64_t>(result.consumed - before);
}

int64_t ParsedRequest::take_body(std::string_view data) {
    if (!head_.chunked) {
        size_t missing = static_cast<size_t>(head_.content_length) - body_.size();
        size_t take = data.size() < missing ? data.size() : missing;
        body_.append(data.substr(0, take));
        if (take == missing) {
            state_ = State::kComplete;
        }
        return static_cast<int64_t>(take);
    }
    bool too_large = false;
    auto result = chunked_.feed(data.data(), data.size(), [&](std::string_view bytes) {
        too_large = too_large || body_.size() + bytes.size() > options_.body_limit;
        if (!too_large) {
            body_.append(bytes);
        }
    });
    if (too_large || result.status == ParseStatus::kBad) {
        state_ = State::kBad;
        return -1;
    }
    if (result.status == ParseStatus::kDone) {
        state_ = State::kComplete;
    }
    return static_cast<int64_t>(result.consumed);
}

}  // namespace stampede::classes
