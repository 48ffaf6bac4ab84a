// A multipart form as it arrives: fields in memory, files on the disk. Owned by its exchange, or by
// a request that was given in pieces; takes every file with it that nobody took over. Loop thread,
// never parks; writes of files go to the page cache, as those of other servers do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proto/http/multipart.h"

namespace stampede::server {

// The temporary files of all forms of a process together, from their first byte to the end of their
// request.
struct UploadRoom {
    uint64_t most = UINT64_MAX;
    uint64_t used = 0;
};

struct FormLimits {
    UploadRoom* room = nullptr;  // beyond it: 503; null: any
    std::string folder = "/tmp";
    uint64_t file_bytes = UINT64_MAX;   // of one file: a larger one is left out
    std::string_view file_bytes_field;  // a field that lowers it for the files that follow; may be
                                        // empty, lasts as long as the form
    uint64_t field_bytes = 2u << 20;    // of all text together: 413
    uint32_t fields = 1000;             // further ones are left out, as PHP does
    uint32_t files = 20;
    proto::http::MultipartLimits syntax;
};

enum class FormFault : uint8_t {
    kNone,
    kTooLarge,
    kTooLargeForForm,
    kNoName,
    kNoFolder,
    kNotWritten,
    kPartial
};

struct FormPart {
    std::string name;
    std::string text;  // of a field
    std::string filename;
    std::string full_path;
    std::string content_type;
    std::string path;  // of the temporary file; empty when there is none
    uint64_t size = 0;
    FormFault fault = FormFault::kNone;
    bool is_file = false;
};

class Form {
public:
    // The kind of its temporary files (os/temporary.h).
    static constexpr char kFileKind[] = "swoole.upfile";

    // boundary must come from extract_boundary().
    Form(std::string_view boundary, FormLimits limits);
    ~Form();
    Form(const Form&) = delete;
    Form& operator=(const Form&) = delete;

    // 0, or the status of the refusal: 413, 500 (no file can be made), 503 (UploadRoom), 507 (the
    // disk is full). What
    // is malformed ends the form: what came before it counts.
    int take(std::string_view bytes);
    // The body is over: half a part is dropped.
    void end();

    const std::vector<FormPart>& parts() const { return parts_; }
    // Of fields, in memory.
    uint64_t text_bytes() const { return text_bytes_; }
    const std::string& folder() const { return limits_.folder; }
    // errno of the file that could not be made or written; 0: none.
    int error() const { return error_; }
    // The files of the parts are the caller's from now on.
    void keep_files() { kept_ = true; }

private:
    bool take_room(uint64_t bytes);
    void give_room(uint64_t bytes);
    void begin_part();
    void begin_file();
    void part_data(std::string_view data);
    void file_data(std::string_view data);
    void end_part();
    void drop_part();
    void read_file_limit();
    void lose_file(FormFault fault);
    void fail_file(FormFault fault);
    void fail(int status);

    FormLimits limits_;
    proto::http::MultipartParser parser_;
    std::vector<FormPart> parts_;
    FormPart part_;
    uint64_t room_taken_ = 0;
    uint64_t text_bytes_ = 0;
    uint64_t form_file_bytes_ = UINT64_MAX;  // by the field that lowers it
    uint32_t fields_ = 0;
    uint32_t files_ = 0;
    int fd_ = -1;
    int status_ = 0;
    int error_ = 0;
    bool skipped_ = false;  // the present part is not looked at
    bool over_ = false;
    bool kept_ = false;
};

}  // namespace stampede::server
