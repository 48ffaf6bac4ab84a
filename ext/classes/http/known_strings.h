// Permanent interned strings for keys and values that nearly every request uses. Made once at
// module start, PHP thread.
#pragma once

#include "proto/http/message.h"
#include "zend/php.h"

namespace stampede::classes {

struct KnownStrings {
    zend_string* request_method;
    zend_string* request_uri;
    zend_string* path_info;
    zend_string* query_string;
    zend_string* request_time;
    zend_string* request_time_float;
    zend_string* server_protocol;
    zend_string* server_port;
    zend_string* remote_port;
    zend_string* remote_addr;
    zend_string* master_time;
    zend_string* name;
    zend_string* type;
    zend_string* tmp_name;
    zend_string* full_path;
    zend_string* error;
    zend_string* size;
};

extern KnownStrings known;

// The lower-case name of a field the server knows by id, null for others.
zend_string* known_field_name(proto::http::KnownField id);

zend_result known_strings_minit(int type, int module_number);

}  // namespace stampede::classes
