// The arrays of a Request that come from its body: post, files, tmpfiles.

#include <climits>

#include "SAPI.h"
#include "classes/http_request.h"
#include "classes/known_strings.h"
#include "os/file.h"
#include "php_variables.h"
#include "proto/http/multipart.h"
#include "zend_smart_str.h"

namespace stampede::classes {

namespace {

using proto::http::MultipartParser;

// PHP's UPLOAD_ERR_* numbers.
constexpr int kUploadOk = 0;
constexpr int kUploadTooLarge = 1;
constexpr int kUploadNoFile = 4;
constexpr int kUploadNoFolder = 6;
constexpr int kUploadNotWritten = 7;

// One part of a form while it is read.
struct PartReader {
    RequestObject* request;
    zval* post;
    zval* files;
    zval* paths;
    uint64_t file_limit;
    int fields_left;
    int files_left;
    smart_str value;
    char name[4097];
    zval file;
    int fd;
    int error;
    uint64_t size;
    char path[PATH_MAX];
    bool is_file;
    bool skipped;
};

void add_member(zval* file, zend_string* key, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    zend_hash_update(Z_ARRVAL_P(file), key, &value);
}

void begin_file(PartReader& reader, const MultipartParser& parser) {
    reader.skipped = reader.files_left-- <= 0;
    if (reader.skipped) {
        return;
    }
    array_init_size(&reader.file, 5);
    add_member(&reader.file, known.name, parser.filename());
    add_member(&reader.file, known.type, parser.content_type());
    reader.size = 0;
    reader.fd = -1;
    reader.error = parser.filename().empty() ? kUploadNoFile : kUploadOk;
    reader.path[0] = '\0';
    if (reader.error != kUploadOk) {
        return;
    }
    snprintf(reader.path, sizeof(reader.path), "%s/swoole.upfile.XXXXXX",
             reader.request->options->upload_dir);
    reader.fd = os::make_temporary(reader.path);
    if (reader.fd < 0) {
        reader.error = kUploadNoFolder;
        reader.path[0] = '\0';
        php_error_docref(
            nullptr, E_WARNING,
            "cannot make a file for an upload in \"%s\": correct the setting upload_tmp_dir",
            reader.request->options->upload_dir);
    }
}

void begin_part(PartReader& reader, const MultipartParser& parser) {
    std::string_view name = parser.name();
    name = name.substr(0, name.find('\0'));
    size_t size = name.size() < sizeof(reader.name) - 1 ? name.size() : sizeof(reader.name) - 1;
    memcpy(reader.name, name.data(), size);
    reader.name[size] = '\0';
    reader.is_file = parser.is_file();
    reader.skipped = size == 0;
    if (reader.skipped) {
        return;
    }
    if (reader.is_file) {
        begin_file(reader, parser);
    } else {
        reader.skipped = reader.fields_left-- <= 0;
    }
}

void part_data(PartReader& reader, std::string_view data) {
    if (reader.skipped) {
        return;
    }
    if (!reader.is_file) {
        smart_str_appendl(&reader.value, data.data(), data.size());
        return;
    }
    if (reader.fd < 0) {
        return;
    }
    reader.size += data.size();
    if (reader.size > reader.file_limit) {
        reader.error = kUploadTooLarge;
    } else if (!os::write_all(reader.fd, data)) {
        reader.error = kUploadNotWritten;
    }
}

void remember_path(PartReader& reader) {
    add_next_index_string(reader.paths, reader.path);
    if (SG(rfc1867_uploaded_files) == nullptr) {
        ALLOC_HASHTABLE(SG(rfc1867_uploaded_files));
        zend_hash_init(SG(rfc1867_uploaded_files), 8, nullptr, ZVAL_PTR_DTOR, 0);
    }
    // move_uploaded_file() and is_uploaded_file() ask this table.
    zval mark;
    ZVAL_TRUE(&mark);
    zend_hash_str_update(SG(rfc1867_uploaded_files), reader.path, strlen(reader.path), &mark);
}

void end_file(PartReader& reader) {
    if (reader.fd >= 0) {
        os::close_fd(reader.fd);
        if (reader.error != kUploadOk) {
            os::remove_path(reader.path);
            reader.path[0] = '\0';
            reader.size = 0;
        } else {
            remember_path(reader);
        }
    }
    add_member(&reader.file, known.tmp_name, reader.path);
    zval number;
    ZVAL_LONG(&number, reader.error);
    zend_hash_update(Z_ARRVAL(reader.file), known.error, &number);
    ZVAL_LONG(&number, static_cast<zend_long>(reader.size));
    zend_hash_update(Z_ARRVAL(reader.file), known.size, &number);
    if (Z_TYPE_P(reader.files) != IS_ARRAY) {
        array_init(reader.files);
    }
    php_register_variable_ex(reader.name, &reader.file, reader.files);
}

void end_part(PartReader& reader) {
    if (reader.skipped) {
        return;
    }
    if (reader.is_file) {
        end_file(reader);
        return;
    }
    smart_str_0(&reader.value);
    if (Z_TYPE_P(reader.post) != IS_ARRAY) {
        array_init(reader.post);
    }
    zval value;
    if (reader.value.s != nullptr) {
        ZVAL_STR(&value, reader.value.s);
    } else {
        ZVAL_EMPTY_STRING(&value);
    }
    reader.value = {};
    php_register_variable_ex(reader.name, &value, reader.post);
}

// A form that breaks off or is malformed leaves what came before the fault, and no half file.
void abandon_part(PartReader& reader) {
    smart_str_free(&reader.value);
    if (reader.is_file && !reader.skipped && Z_TYPE(reader.file) == IS_ARRAY) {
        if (reader.fd >= 0) {
            os::close_fd(reader.fd);
            os::remove_path(reader.path);
        }
        zval_ptr_dtor(&reader.file);
    }
}

void read_multipart(PartReader& reader, std::string_view boundary, std::string_view body) {
    proto::http::MultipartLimits limits;
    MultipartParser parser(boundary, limits);
    bool inside = false;
    for (;;) {
        switch (parser.next(body)) {
            case MultipartParser::Event::kPartBegin:
                ZVAL_UNDEF(&reader.file);
                begin_part(reader, parser);
                inside = true;
                break;
            case MultipartParser::Event::kPartData:
                part_data(reader, parser.data());
                break;
            case MultipartParser::Event::kPartEnd:
                end_part(reader);
                inside = false;
                break;
            default:
                if (inside) {
                    abandon_part(reader);
                }
                return;
        }
    }
}

uint64_t upload_limit() {
    const char* text = INI_STR("upload_max_filesize");
    zend_long limit = text != nullptr ? ZEND_STRTOL(text, nullptr, 10) : 0;
    if (text != nullptr && *text != '\0') {
        char unit = text[strlen(text) - 1];
        limit <<= unit == 'G' || unit == 'g'   ? 30
                  : unit == 'M' || unit == 'm' ? 20
                  : unit == 'K' || unit == 'k' ? 10
                                               : 0;
    }
    return limit > 0 ? static_cast<uint64_t>(limit) : UINT64_MAX;
}

}  // namespace

void build_forms(RequestObject& request, const RequestSource& source) {
    const proto::http::Field* type = source.head->find(proto::http::KnownField::kContentType);
    if (type == nullptr || source.body.empty()) {
        return;
    }
    std::string_view content_type = source.text(type->value);
    zval* post = OBJ_PROP_NUM(&request.std, kSlotPost);
    if (proto::http::is_media_type(content_type, "application/x-www-form-urlencoded")) {
        if (request.options->parse_body) {
            build_query(source.body, post);
        }
        return;
    }
    std::string_view boundary;
    if (!request.options->parse_files || !proto::http::extract_boundary(content_type, boundary)) {
        return;
    }
    zval* paths = OBJ_PROP_NUM(&request.std, kSlotTmpFiles);
    array_init(paths);
    PartReader reader{};
    reader.request = &request;
    reader.post = post;
    reader.files = OBJ_PROP_NUM(&request.std, kSlotFiles);
    reader.paths = paths;
    reader.file_limit = upload_limit();
    reader.fields_left = static_cast<int>(PG(max_input_vars));
    const char* most = INI_STR("max_file_uploads");
    reader.files_left = most != nullptr ? atoi(most) : 20;
    read_multipart(reader, boundary, source.body);
    if (zend_hash_num_elements(Z_ARRVAL_P(paths)) == 0) {
        zval_ptr_dtor(paths);
        ZVAL_NULL(paths);
    }
}

void remove_uploads(zval* paths) {
    if (Z_TYPE_P(paths) != IS_ARRAY) {
        return;
    }
    zval* path;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(paths), path) {
        if (Z_TYPE_P(path) != IS_STRING) {
            continue;
        }
        HashTable* uploaded = SG(rfc1867_uploaded_files);
        // Gone from the table: the application moved it, and something else may have the name by
        // now.
        if (uploaded != nullptr && zend_hash_del(uploaded, Z_STR_P(path)) == SUCCESS) {
            os::remove_path(Z_STRVAL_P(path));
        }
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace stampede::classes
