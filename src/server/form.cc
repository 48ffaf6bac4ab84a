#include "server/form.h"

#include <cerrno>
#include <charconv>

#include "os/fd.h"
#include "os/file.h"
#include "os/temporary.h"
#include "proto/http/message.h"

namespace stampede::server {

using proto::http::MultipartParser;

namespace {

constexpr int kTooLarge = 413;
constexpr int kCannotWrite = 500;
constexpr int kNoRoom = 503;
constexpr int kDiskFull = 507;

std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

}  // namespace

Form::Form(std::string_view boundary, FormLimits limits)
    : limits_(std::move(limits)), parser_(boundary, limits_.syntax) {}

Form::~Form() {
    drop_part();
    give_room(room_taken_);
    for (const FormPart& part : parts_) {
        if (!kept_ && !part.path.empty()) {
            os::remove_path(part.path.c_str());
        }
    }
}

int Form::take(std::string_view bytes) {
    while (!over_ && status_ == 0) {
        switch (parser_.next(bytes)) {
            case MultipartParser::Event::kPartBegin:
                begin_part();
                break;
            case MultipartParser::Event::kPartData:
                part_data(parser_.data());
                break;
            case MultipartParser::Event::kPartEnd:
                end_part();
                break;
            case MultipartParser::Event::kNeedMore:
                return status_;
            case MultipartParser::Event::kBad:
                if (parser_.http_status() == kTooLarge) {
                    fail(kTooLarge);
                }
                end();
                break;
            default:
                end();
        }
    }
    return status_;
}

void Form::end() {
    if (fd_ >= 0) {
        drop_part();
        parts_.push_back(std::move(part_));  // the application hears that there was one
    }
    over_ = true;
}

void Form::begin_part() {
    part_ = {};
    part_.name = until_nul(parser_.name());
    part_.is_file = parser_.is_file();
    uint32_t& count = part_.is_file ? files_ : fields_;
    uint32_t most = part_.is_file ? limits_.files : limits_.fields;
    skipped_ = part_.name.empty() || count >= most;
    if (skipped_) {
        return;
    }
    count++;
    if (part_.is_file) {
        begin_file();
    }
}

void Form::begin_file() {
    part_.filename = parser_.filename();
    part_.full_path = parser_.full_path();
    part_.content_type = parser_.content_type();
    if (part_.filename.empty()) {
        part_.fault = FormFault::kNoName;
        return;
    }
    fd_ = os::make_owned_temporary(limits_.folder, kFileKind, part_.path);
    if (fd_ < 0) {
        fail_file(FormFault::kNoFolder);
    }
}

void Form::part_data(std::string_view data) {
    if (skipped_) {
        return;
    }
    if (part_.is_file) {
        file_data(data);
        return;
    }
    text_bytes_ += data.size();
    if (text_bytes_ > limits_.field_bytes) {
        fail(kTooLarge);
        return;
    }
    part_.text.append(data);
}

void Form::file_data(std::string_view data) {
    if (fd_ < 0) {
        return;
    }
    if (data.size() > limits_.file_bytes - part_.size) {
        lose_file(FormFault::kTooLarge);
        return;
    }
    if (data.size() + part_.size > form_file_bytes_) {
        lose_file(FormFault::kTooLargeForForm);
        return;
    }
    if (!take_room(data.size())) {
        lose_file(FormFault::kNotWritten);
        fail(kNoRoom);
        return;
    }
    part_.size += data.size();
    if (!os::write_all(fd_, data)) {
        fail_file(FormFault::kNotWritten);
    }
}

bool Form::take_room(uint64_t bytes) {
    UploadRoom* room = limits_.room;
    if (room == nullptr) {
        return true;
    }
    if (bytes > room->most || room->used > room->most - bytes) {
        return false;
    }
    room->used += bytes;
    room_taken_ += bytes;
    return true;
}

void Form::give_room(uint64_t bytes) {
    if (limits_.room != nullptr) {
        limits_.room->used -= bytes;
        room_taken_ -= bytes;
    }
}

void Form::lose_file(FormFault fault) {
    if (fd_ >= 0) {
        os::close_fd(fd_);
        os::remove_path(part_.path.c_str());
    }
    fd_ = -1;
    part_.path.clear();
    give_room(part_.size);
    part_.size = 0;
    part_.fault = fault;
}

// With errno set.
void Form::fail_file(FormFault fault) {
    error_ = errno;
    bool full = error_ == ENOSPC || error_ == EDQUOT;
    lose_file(fault);
    fail(full ? kDiskFull : kCannotWrite);
    parts_.push_back(std::move(part_));
    skipped_ = true;
}

void Form::end_part() {
    if (fd_ >= 0) {
        os::close_fd(fd_);
        fd_ = -1;
    }
    if (!skipped_) {
        read_file_limit();
        parts_.push_back(std::move(part_));
    }
}

// 0 and what is no number are no limit.
void Form::read_file_limit() {
    if (part_.is_file || limits_.file_bytes_field.empty() ||
        !proto::http::equals_ignoring_case(part_.name, limits_.file_bytes_field)) {
        return;
    }
    uint64_t limit = 0;
    std::from_chars(part_.text.data(), part_.text.data() + part_.text.size(), limit);
    form_file_bytes_ = limit > 0 ? limit : UINT64_MAX;
}

// A form that breaks off or is malformed leaves what came before, and no half file.
void Form::drop_part() {
    if (fd_ >= 0) {
        lose_file(FormFault::kPartial);
    }
}

// The first one is what the peer hears.
void Form::fail(int status) {
    if (status_ == 0) {
        status_ = status;
    }
}

}  // namespace stampede::server
