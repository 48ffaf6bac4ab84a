// The functions of sapi_module, as PHP's web servers have them.
#include "request_loop/sapi.h"

#include <cstring>
#include <string>

#include "SAPI.h"
#include "os/children.h"
#include "os/process.h"
#include "php_main.h"
#include "php_variables.h"
#include "request_loop/user_settings.h"
#include "zend/php.h"

// Its header does not say that it is C.
extern "C" {
#include "ext/standard/head.h"
}

namespace stampede::request_loop {
namespace {

constexpr int kHttp11 = 1001;

Request* request = nullptr;
Response* response = nullptr;
bool is_last = false;  // request of this process
pid_t owner = 0;       // of the connection: a script may fork

bool is_own() { return os::own_pid() == owner; }

size_t write_body(const char* text, size_t length) {
    if (is_own() && !response->write({text, length})) {
        php_handle_aborted_connection();
    }
    return length;
}

void flush_body(void*) {
    sapi_send_headers();
    if (is_own() && !response->flush()) {
        php_handle_aborted_connection();
    }
}

bool is_field(const sapi_header_struct& field, std::string_view name) {
    return field.header_len > name.size() && field.header[name.size()] == ':' &&
           zend_binary_strncasecmp(field.header, field.header_len, name.data(), name.size(),
                                   name.size()) == 0;
}

// The value of the field Status, which is none of HTTP.
std::string_view status_field(sapi_headers_struct& headers) {
    zend_llist_position at;
    for (void* each = zend_llist_get_first_ex(&headers.headers, &at); each != nullptr;
         each = zend_llist_get_next_ex(&headers.headers, &at)) {
        auto& field = *static_cast<sapi_header_struct*>(each);
        if (is_field(field, "Status")) {
            std::string_view value(field.header + strlen("Status:"));
            value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
            return value;
        }
    }
    return {};
}

// "404 Not Found": of the whole first line that header() was given, else of the field Status, else
// the number alone.
std::string status_of(sapi_headers_struct& headers) {
    const char* line = headers.http_status_line;
    const char* status = line != nullptr ? strchr(line, ' ') : nullptr;
    if (status != nullptr && headers.http_response_code != 200) {
        return status + 1;
    }
    std::string_view field = status_field(headers);
    if (!field.empty()) {
        return std::string(field);
    }
    return status != nullptr ? status + 1 : std::to_string(headers.http_response_code);
}

int send_head(sapi_headers_struct* headers) {
    if (SG(request_info).no_headers || !is_own()) {
        return SAPI_HEADER_SENT_SUCCESSFULLY;
    }
    std::string lines = status_of(*headers);
    bool has_no_body = lines.starts_with("304");
    zend_llist_position at;
    for (void* each = zend_llist_get_first_ex(&headers->headers, &at); each != nullptr;
         each = zend_llist_get_next_ex(&headers->headers, &at)) {
        auto& field = *static_cast<sapi_header_struct*>(each);
        if (field.header_len > 0 && !is_field(field, "Status") &&
            !(has_no_body && is_field(field, "Content-Type"))) {
            lines.append("\n").append(field.header, field.header_len);
        }
    }
    if (headers->send_default_content_type && !has_no_body) {
        sapi_header_struct type;
        sapi_get_default_content_type_header(&type);
        lines.append("\n").append(type.header, type.header_len);
        sapi_free_header(&type);
    }
    response->head(std::move(lines));
    return SAPI_HEADER_SENT_SUCCESSFULLY;
}

size_t read_body(char* out, size_t wanted) {
    return is_own() ? request->read_body(out, wanted) : 0;
}

char* read_cookies() { return const_cast<char*>(request->field("HTTP_COOKIE")); }

char* get_variable(const char* name, size_t length) {
    return const_cast<char*>(request->field({name, length}));
}

void register_variables(zval* variables) {
    for (const Field& field : request->fields()) {
        auto* value = const_cast<char*>(field.value.data());
        size_t length = field.value.size();
        // A filter gives back a copy.
        if (sapi_module.input_filter(PARSE_SERVER, field.name.data(), &value, length, &length)) {
            php_register_variable_safe(field.name.data(), value, length, variables);
        }
    }
}

int activate() {
    activate_user_settings(*request);
    return SUCCESS;
}

// After everything that can print. What follows is the freeing of memory, for which the client
// does not wait.
int deactivate() {
    if (is_own()) {
        // What a script has left running goes on by itself. In a process that took another request,
        // it would end with that one at its limit.
        is_last = !os::reap_all() || is_last;
        response->end(is_last ? EndOf::kProcess : EndOf::kRequest);
    }
    return SUCCESS;
}

}  // namespace

void take_sapi(Request& of, Response& to) {
    request = &of;
    response = &to;
    owner = os::own_pid();
    sapi_module.activate = activate;
    sapi_module.deactivate = deactivate;
    sapi_module.ub_write = write_body;
    sapi_module.flush = flush_body;
    sapi_module.getenv = get_variable;
    sapi_module.header_handler = nullptr;
    sapi_module.send_headers = send_head;
    sapi_module.send_header = nullptr;
    sapi_module.read_post = read_body;
    sapi_module.read_cookies = read_cookies;
    sapi_module.register_server_variables = register_variables;
    sapi_module.get_request_time = nullptr;
    sapi_module.phpinfo_as_text = 0;
    SG(options) &= ~SAPI_OPTION_NO_CHDIR;
}

void end_after_request() { is_last = true; }

bool goes_on() { return !is_last; }

Response* own_response() { return response != nullptr && is_own() ? response : nullptr; }

const Request& present_request() { return *request; }

void announce_request() {
    SG(server_context) = request;
    SG(sapi_headers).http_response_code = 200;
    sapi_request_info& info = SG(request_info);
    info = sapi_request_info{};
    info.request_method = request->field("REQUEST_METHOD");
    info.query_string = const_cast<char*>(request->field("QUERY_STRING"));
    info.content_type = request->field("CONTENT_TYPE");
    if (info.content_type != nullptr && *info.content_type == '\0') {
        info.content_type = nullptr;
    }
    info.content_length = static_cast<zend_long>(request->body_size());
    info.path_translated = const_cast<char*>(request->field("SCRIPT_FILENAME"));
    info.request_uri = const_cast<char*>(request->field("SCRIPT_NAME"));
    info.proto_num = kHttp11;
    php_handle_auth_data(request->field("HTTP_AUTHORIZATION"));
}

void tell_uploads() {
    if (SG(rfc1867_uploaded_files) == nullptr) {
        return;
    }
    std::string paths;
    zend_string* path;
    ZEND_HASH_FOREACH_STR_KEY(SG(rfc1867_uploaded_files), path) {
        if (path != nullptr) {
            paths.append(ZSTR_VAL(path), ZSTR_LEN(path) + 1);
        }
    }
    ZEND_HASH_FOREACH_END();
    response->files(paths);
}

void add_header_fields(HashTable* to) {
    for (const Field& field : request != nullptr ? request->fields() : std::span<const Field>()) {
        std::string_view name = field.name;
        bool is_content = name == "CONTENT_TYPE" || name == "CONTENT_LENGTH";
        if (!is_content && !name.starts_with("HTTP_")) {
            continue;
        }
        std::string spelled(is_content ? name : name.substr(strlen("HTTP_")));
        for (size_t i = 0; i < spelled.size(); i++) {
            bool begins = i == 0 || spelled[i - 1] == '-';
            spelled[i] = spelled[i] == '_' ? '-'
                         : begins          ? spelled[i]
                                           : zend_tolower_ascii(spelled[i]);
        }
        if (!is_content || !field.value.empty()) {
            zval value;
            ZVAL_STRINGL(&value, field.value.data(), field.value.size());
            zend_symtable_str_update(to, spelled.data(), spelled.size(), &value);
        }
    }
}

bool finish_response() {
    if (response == nullptr || !is_own() || response->has_ended()) {
        return false;
    }
    php_output_end_all();
    php_header();
    response->end(EndOf::kResponse);
    return true;
}

}  // namespace stampede::request_loop
