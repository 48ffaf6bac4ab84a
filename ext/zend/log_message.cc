#include "log_message.h"

#include <syslog.h>

#include <cstdint>
#include <cstdio>

#include "ini.h"
#include "os/fault_handler.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/log_object.h"
#include "php.h"
#include "subsystems.h"

#include "SAPI.h"

namespace stampede::zend {
namespace {

using os::character_length;
using os::is_control;

void append_escape(std::string& out, std::string_view character) {
    char escape[8];
    auto code = static_cast<uint8_t>(character.back());
    snprintf(escape, sizeof(escape), "\\x%02x", static_cast<unsigned>(code));
    out += escape;
}

// Where the log goes to: the standard error that this process was started with, whatever the SAPI
// makes of it.
void write_log(const std::string& text) { os::Log::get().write_lines(text); }

std::string_view level_name(int level) {
    return level <= LOG_ERR ? "error" : level == LOG_WARNING ? "warning" : "notice";
}

void write_lines(const char* message, int) { write_log(log_lines(message)); }

RequestName name_of_request = nullptr;

std::string_view present_request(char (&room)[kRequestNameRoom]) {
    if (name_of_request != nullptr) {
        return name_of_request(room);
    }
    const char* field = sapi_module.getenv == nullptr
                            ? nullptr
                            : sapi_module.getenv(ZEND_STRL("HTTP_X_REQUEST_ID"));
    return field == nullptr ? std::string_view() : std::string_view(field);
}

void write_object(const char* message, int level) {
    char room[kRequestNameRoom];
    write_log(os::log_object(message, {.level = level_name(level),
                                       .source = {},
                                       .worker = os::Log::get().worker(),
                                       .request_id = present_request(room)}));
}

}  // namespace

void name_requests_by(RequestName name) { name_of_request = name; }

std::string log_lines(std::string_view message) {
    std::string out;
    std::string_view text = os::cut_message(message);
    while (!text.empty()) {
        size_t length = character_length(text);
        std::string_view character = text.substr(0, length == 0 ? 1 : length);
        text.remove_prefix(character.size());
        if (character == "\n") {
            out += text.empty() ? "" : "\n    ";
        } else if (length == 0 || (is_control(character) && character != "\t")) {
            append_escape(out, character);
        } else {
            out += character;
        }
    }
    out += os::cut_message(message).size() < message.size() ? os::kCutMark : "";
    return out + "\n";
}

}  // namespace stampede::zend

namespace stampede::ext {

// Not when the module starts: another one may still replace what the SAPI does.
zend_result log_messages_rinit(int, int) {
    std::string_view format = settings().log_messages == nullptr ? "" : settings().log_messages;
    if (format == "text") {
        sapi_module.log_message = zend::write_lines;
    } else if (format == "json") {
        sapi_module.log_message = zend::write_object;
        os::Log::get().write_objects(static_cast<int>(settings().log_output));
        os::write_faults_as_objects(static_cast<int>(settings().log_output));
    }
    return SUCCESS;
}

}  // namespace stampede::ext
