#include "server/static/file_response.h"

#include <cstdio>

#include "os/fd.h"
#include "proto/http/conditional.h"
#include "proto/http/range.h"

namespace stampede::server {

using proto::http::ByteRange;
using proto::http::Conditions;
using proto::http::KnownField;
using proto::http::Precondition;
using proto::http::RangeResult;
using proto::http::Ranges;

namespace {

// Fields with the memory of those whose values are made here.
class Fields {
public:
    void add(std::string_view name, std::string_view value) { fields_[count_++] = {name, value}; }
    ResponseHead head(int status) const {
        ResponseHead head;
        head.status = status;
        head.fields = fields_;
        head.field_count = count_;
        return head;
    }

    char etag[48];
    char modified[proto::http::kDateLength];
    char content_range[80];

private:
    FieldRef fields_[8];
    uint32_t count_ = 0;
};

std::string_view write_etag(const os::FileMark& mark, char (&out)[48]) {
    int length = snprintf(out, sizeof(out), "\"%llx-%llx\"",
                          static_cast<unsigned long long>(mark.modified_ns),
                          static_cast<unsigned long long>(mark.size));
    return {out, static_cast<size_t>(length)};
}

// The conditions of a request, with the memory of those that came in several lines. Tags are a list
// then; two dates are none, and two values of If-Range are none that holds.
class RequestConditions {
public:
    explicit RequestConditions(const Exchange& exchange) : exchange_(exchange) {
        values_.if_match = take("if-match", rooms_[0]);
        values_.if_none_match = take("if-none-match", rooms_[1]);
        values_.if_modified_since = take("if-modified-since", rooms_[2]);
        values_.if_unmodified_since = take("if-unmodified-since", rooms_[3]);
        values_.if_range = take("if-range", rooms_[4]);
    }
    RequestConditions(const RequestConditions&) = delete;
    RequestConditions& operator=(const RequestConditions&) = delete;
    const Conditions& values() const { return values_; }

private:
    std::string_view take(std::string_view name, std::string& room) const {
        return exchange_.head.list(name, exchange_.head_text.bytes(), room);
    }

    const Exchange& exchange_;
    Conditions values_;
    std::string rooms_[5];
};

void response_head(Exchange& exchange, const ResponseHead& head, uint64_t length) {
    exchange.send_head(head, length);
    exchange.finish();
}

// A piece of the file; the descriptor goes with the last one.
void send_piece(Exchange& exchange, FileResponse& file, ByteRange range, bool last) {
    if (file.fd < 0) {
        exchange.send_body(file.content.substr(range.first, range.length()));
        return;
    }
    auto offset = static_cast<off_t>(range.first);
    if (last) {
        exchange.send_file({file.fd, offset, range.length()});
        file.fd = -1;
    } else if (Result<int> another = os::duplicate(file.fd)) {
        exchange.send_file({*another, offset, range.length()});
    } else {
        exchange.abort();
    }
}

std::string_view write_content_range(ByteRange range, uint64_t size, char (&out)[80]) {
    int length = snprintf(
        out, sizeof(out), "bytes %llu-%llu/%llu", static_cast<unsigned long long>(range.first),
        static_cast<unsigned long long>(range.last), static_cast<unsigned long long>(size));
    return {out, static_cast<size_t>(length)};
}

using Boundary = char[40];

// Unlike anything in the file, as nobody knows it before.
void make_boundary(const Exchange& exchange, const os::FileMark& mark, Boundary& out) {
    auto time = static_cast<uint64_t>(exchange.received_at());
    snprintf(out, sizeof(out), "%016llx%016llx",
             static_cast<unsigned long long>(time * 0x9e3779b97f4a7c15),
             static_cast<unsigned long long>((time ^ mark.inode ^ mark.size) * 0xbf58476d1ce4e5b9));
}

// The head of each part, and the end after the last.
std::string part_head(const FileResponse& file, ByteRange range, const Boundary& boundary) {
    char text[80];
    std::string head = "\r\n--";
    head.append(boundary).append("\r\nContent-Type: ").append(file.type);
    head.append("\r\nContent-Range: ").append(write_content_range(range, file.mark.size, text));
    head.append("\r\n\r\n");
    return head;
}

void respond_with_parts(Exchange& exchange, FileResponse& file, const Ranges& ranges,
                        Fields& fields) {
    Boundary boundary;
    make_boundary(exchange, file.mark, boundary);
    std::string type = "multipart/byteranges; boundary=";
    type.append(boundary);
    std::string heads[proto::http::kMostRanges];
    std::string end = "\r\n--";
    end.append(boundary).append("--\r\n");
    uint64_t length = end.size();
    for (size_t i = 0; i < ranges.count; i++) {
        heads[i] = part_head(file, ranges.parts[i], boundary);
        length += heads[i].size() + ranges.parts[i].length();
    }
    ResponseHead head = fields.head(206);
    head.default_type = type;
    exchange.send_head(head, length);
    for (size_t i = 0; i < ranges.count && !exchange.is_head_request(); i++) {
        exchange.send_body(heads[i]);
        send_piece(exchange, file, ranges.parts[i], i + 1 == ranges.count);
    }
    exchange.send_body(end);
    exchange.finish();
}

void respond_with_part(Exchange& exchange, FileResponse& file, ByteRange range, ResponseHead head) {
    head.default_type = file.type;
    exchange.send_head(head, range.length());
    if (!exchange.is_head_request()) {
        send_piece(exchange, file, range, true);
    }
    exchange.finish();
}

void respond_with_whole(Exchange& exchange, FileResponse& file, ResponseHead head) {
    head.default_type = file.type;
    exchange.send_head(head, file.mark.size);
    if (!exchange.is_head_request() && file.mark.size > 0) {
        send_piece(exchange, file, {0, file.mark.size - 1}, true);
    }
    exchange.finish();
}

Ranges ranges_of(const Exchange& exchange, const Conditions& conditions,
                 const proto::http::Validators& present, uint64_t size) {
    const proto::http::Field* range = exchange.head.find(KnownField::kRange);
    // Range is no list: in two lines it says nothing that could be relied on.
    bool wanted = range != nullptr &&
                  exchange.head.find_next(*range, exchange.head_text.bytes()) == nullptr &&
                  exchange.head.method == proto::http::Method::kGet &&
                  proto::http::range_applies(conditions, present);
    return wanted ? proto::http::parse_ranges(exchange.text(range->value), size) : Ranges();
}

void respond_by_conditions(Exchange& exchange, FileResponse& file) {
    Fields fields;
    proto::http::Validators present = {write_etag(file.mark, fields.etag), file.mark.modified()};
    proto::http::format_date(present.modified, fields.modified);
    fields.add("Last-Modified", {fields.modified, sizeof(fields.modified)});
    fields.add("ETag", present.etag);
    if (file.varies) {
        fields.add("Vary", "Accept-Encoding");
    }
    if (!file.cache_control.empty()) {
        fields.add("Cache-Control", file.cache_control);
    }
    RequestConditions asked(exchange);
    const Conditions& conditions = asked.values();
    switch (proto::http::check_conditions(conditions, present)) {
        case Precondition::kNotModified:
            response_head(exchange, fields.head(304), 0);
            return;
        case Precondition::kFailed:
            response_head(exchange, fields.head(412), 0);
            return;
        default:
            break;
    }
    fields.add("Accept-Ranges", "bytes");
    if (!file.coding.empty()) {
        fields.add("Content-Encoding", file.coding);
    }
    Ranges ranges = ranges_of(exchange, conditions, present, file.mark.size);
    if (ranges.result == RangeResult::kUnsatisfiable) {
        int length = snprintf(fields.content_range, sizeof(fields.content_range), "bytes */%llu",
                              static_cast<unsigned long long>(file.mark.size));
        fields.add("Content-Range", {fields.content_range, static_cast<size_t>(length)});
        response_head(exchange, fields.head(416), 0);
    } else if (ranges.count > 1) {
        respond_with_parts(exchange, file, ranges, fields);
    } else if (ranges.count == 1) {
        fields.add("Content-Range",
                   write_content_range(ranges.parts[0], file.mark.size, fields.content_range));
        respond_with_part(exchange, file, ranges.parts[0], fields.head(206));
    } else {
        respond_with_whole(exchange, file, fields.head(200));
    }
}

}  // namespace

void respond_with_file(Exchange& exchange, const FileResponse& file) {
    FileResponse rest = file;
    respond_by_conditions(exchange, rest);
    os::close_fd(rest.fd);
}

void response_status(Exchange& exchange, int status) {
    std::string text = std::to_string(status) + " " + proto::http::reason_phrase(status) + "\n";
    ResponseHead head;
    head.status = status;
    head.default_type = "text/plain";
    exchange.send_head(head, text.size());
    exchange.send_body(text);
    exchange.finish();
}

void send_redirect(Exchange& exchange, const std::string& path) {
    std::string location = path;
    if (std::string_view query = exchange.text(exchange.head.query); !query.empty()) {
        location.append("?").append(query);
    }
    Fields fields;
    fields.add("Location", location);
    response_head(exchange, fields.head(301), 0);
}

void respond_with_text(Exchange& exchange, std::string_view type, std::string_view text) {
    ResponseHead head;
    head.default_type = type;
    exchange.send_head(head, text.size());
    exchange.send_body(text);
    exchange.finish();
}

}  // namespace stampede::server
