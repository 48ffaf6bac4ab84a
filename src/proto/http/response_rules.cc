#include "proto/http/response_rules.h"

#include "proto/http/byte_classes.h"
#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

bool has_no_control(std::string_view text) {
    for (char c : text) {
        if ((class_of(c) & kControl) != 0) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool valid_field_name(std::string_view name) { return is_token(name); }

bool valid_field_value(std::string_view value) { return has_no_control(value); }

bool valid_reason(std::string_view reason) { return has_no_control(reason); }

bool status_has_body(int status) { return status_has_length(status) && status != 205; }

bool status_has_length(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace stampede::proto::http
