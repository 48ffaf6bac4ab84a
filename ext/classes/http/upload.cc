// The arrays of a Request that come from its body: post, files, tmpfiles. A form is taken apart
// while it arrives (server::Form); here its parts become arrays.

#include "classes/http/request.h"
#include "classes/http/body_strings.h"
#include "classes/http/known_strings.h"
#include "io/options.h"
#include "os/file.h"

#include "SAPI.h"
#include "php_variables.h"

namespace stampede::classes {

namespace {

using server::FormFault;
using server::FormPart;

// A form that is at most this large is also there as a string, as long as package_max_length
// allows.
constexpr uint64_t kKeptForm = 2u << 20;

// PHP's UPLOAD_ERR_* numbers.
constexpr int upload_error(FormFault fault) {
    switch (fault) {
        case FormFault::kNone:
            return 0;
        case FormFault::kTooLarge:
            return 1;
        case FormFault::kTooLargeForForm:
            return 2;
        case FormFault::kPartial:
            return 3;
        case FormFault::kNoName:
            return 4;
        case FormFault::kNoFolder:
            return 6;
        default:
            return 7;
    }
}

void add_member(zval* file, zend_string* key, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    zend_hash_update(Z_ARRVAL_P(file), key, &value);
}

void remember_path(zval* paths, const FormPart& part) {
    add_next_index_stringl(paths, part.path.data(), part.path.size());
    if (SG(rfc1867_uploaded_files) == nullptr) {
        ALLOC_HASHTABLE(SG(rfc1867_uploaded_files));
        zend_hash_init(SG(rfc1867_uploaded_files), 8, nullptr, ZVAL_PTR_DTOR, 0);
    }
    // move_uploaded_file() and is_uploaded_file() ask this table.
    zval mark;
    ZVAL_TRUE(&mark);
    zend_hash_str_update(SG(rfc1867_uploaded_files), part.path.data(), part.path.size(), &mark);
}

void add_number(zval* file, zend_string* key, zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    zend_hash_update(Z_ARRVAL_P(file), key, &value);
}

// PHP's reading of nested names, with its limits. Takes over the value.
void add_variable(const std::string& name, zval* value, zval* out) {
    if (Z_TYPE_P(out) != IS_ARRAY) {
        array_init(out);
    }
    php_register_variable_ex(name.c_str(), value, out);
}

// The layout of $_FILES for a nested name: "up[a]" becomes up => [name => [a => ..], type => ..].
void spread_file(const std::string& name, zval* file, zval* out) {
    size_t bracket = name.find('[');
    zend_string* member;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(file), member, value) {
        std::string nested = name;
        nested.insert(bracket, "[" + std::string(ZSTR_VAL(member), ZSTR_LEN(member)) + "]");
        zval copy;
        ZVAL_COPY(&copy, value);
        add_variable(nested, &copy, out);
    }
    ZEND_HASH_FOREACH_END();
    zval_ptr_dtor(file);
}

// As PHP has it: without parameters, and none of a file that was refused.
std::string_view type_in_php(const FormPart& part) {
    std::string_view type = part.content_type;
    return part.fault == FormFault::kNone ? type.substr(0, type.find(';')) : std::string_view();
}

void add_file(RequestObject& request, const FormPart& part) {
    bool as_in_php = request.options->files_as_in_php;
    zval file;
    array_init_size(&file, 6);
    add_member(&file, known.name, part.filename);
    if (as_in_php) {
        add_member(&file, known.full_path, part.full_path);
        add_member(&file, known.type, type_in_php(part));
    } else {
        add_member(&file, known.type,
                   part.fault == FormFault::kNoName ? std::string_view() : part.content_type);
    }
    add_member(&file, known.tmp_name, part.path);
    add_number(&file, known.error, upload_error(part.fault));
    add_number(&file, known.size, static_cast<zend_long>(part.size));
    if (!part.path.empty()) {
        remember_path(OBJ_PROP_NUM(&request.std, kSlotTmpFiles), part);
    }
    zval* files = OBJ_PROP_NUM(&request.std, kSlotFiles);
    size_t bracket = part.name.find('[');
    if (as_in_php && bracket != std::string::npos && bracket > 0) {
        spread_file(part.name, &file, files);
    } else {
        add_variable(part.name, &file, files);
    }
}

void show_form(RequestObject& request, server::Form& form) {
    zval* paths = OBJ_PROP_NUM(&request.std, kSlotTmpFiles);
    array_init(paths);
    form.keep_files();
    for (const FormPart& part : form.parts()) {
        if (part.is_file) {
            add_file(request, part);
            continue;
        }
        zval value;
        ZVAL_STRINGL(&value, part.text.data(), part.text.size());
        add_variable(part.name, &value, OBJ_PROP_NUM(&request.std, kSlotPost));
    }
    if (zend_hash_num_elements(Z_ARRVAL_P(paths)) == 0) {
        zval_ptr_dtor(paths);
        ZVAL_NULL(paths);
    }
    if (form.error() != 0) {
        php_error_docref(
            nullptr, E_WARNING,
            "cannot make a file for an upload in \"%s\": correct the setting upload_tmp_dir",
            form.folder().c_str());
    }
}

uint64_t file_limit() {
    const char* text = zend_ini_string(ZEND_STRL("upload_max_filesize"), 0);
    int64_t limit = 0;
    bool is_size = text != nullptr && io::parse_size(std::string_view(text), limit);
    return is_size && limit > 0 ? static_cast<uint64_t>(limit) : UINT64_MAX;
}

// The body of QUERY is what the application asks for, whatever its type (RFC 10008).
bool has_form(const RequestSource& source) {
    return source.head->method != proto::http::Method::kQuery;
}

bool is_plain_form(const RequestSource& source, const RequestOptions& options) {
    const proto::http::Field* type = source.head->find(proto::http::KnownField::kContentType);
    return options.parse_body && type != nullptr && has_form(source) &&
           proto::http::is_media_type(source.text(type->value),
                                      "application/x-www-form-urlencoded");
}

}  // namespace

std::unique_ptr<server::Form> make_form(const RequestSource& source,
                                        const RequestOptions& options) {
    const proto::http::Field* type = source.head->find(proto::http::KnownField::kContentType);
    std::string_view boundary;
    if (!options.parse_body || type == nullptr || !has_form(source) ||
        !proto::http::extract_boundary(source.text(type->value), boundary)) {
        return nullptr;
    }
    server::FormLimits limits;
    limits.folder = options.upload_dir;
    limits.room = options.upload_room;
    // The setting bounds the whole request, and php.ini then has no say.
    limits.file_bytes = options.upload_limit > 0 ? options.upload_limit : file_limit();
    limits.file_bytes_field = options.files_as_in_php ? "MAX_FILE_SIZE" : "";
    limits.field_bytes = options.body_limit;
    limits.fields = static_cast<uint32_t>(PG(max_input_vars));
    const char* most = zend_ini_string(ZEND_STRL("max_file_uploads"), 0);
    limits.files = most != nullptr ? static_cast<uint32_t>(std::max(atoi(most), 0)) : 20;
    return std::make_unique<server::Form>(boundary, std::move(limits));
}

void plan_body(server::Exchange& exchange, const RequestOptions& options) {
    RequestSource source;
    source.head = &exchange.head;
    source.base = exchange.head_text.bytes();
    std::unique_ptr<server::Form> form = make_form(source, options);
    if (form != nullptr) {
        exchange.body.expect_form(std::move(form), std::min(kKeptForm, options.body_limit));
        exchange.body.set_limit(options.upload_limit > 0 ? options.upload_limit
                                                         : options.body_limit);
        return;
    }
    if (options.stream_body && !exchange.head.upgrade && !is_plain_form(source, options)) {
        exchange.body.stream();
        exchange.body.set_limit(options.upload_limit > 0 ? options.upload_limit : UINT64_MAX);
        return;
    }
    exchange.body.gather_in(body_strings());
}

void build_forms(RequestObject& request, const RequestSource& source) {
    if (request.exchange != nullptr && request.exchange->body.form() != nullptr) {
        show_form(request, *request.exchange->body.form());
        return;
    }
    if (source.body.empty()) {
        return;
    }
    if (is_plain_form(source, *request.options)) {
        build_query(source.body, OBJ_PROP_NUM(&request.std, kSlotPost));
        return;
    }
    if (request.exchange == nullptr) {
        if (auto form = make_form(source, *request.options)) {
            (void)form->take(source.body);
            form->end();
            show_form(request, *form);
        }
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
