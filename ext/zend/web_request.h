// What PHP keeps in globals for the one request of a web server: header fields and status of its
// own functions, php://input, output, shutdown functions, the session, changed settings, global
// variables. Begun and ended around each request of an application that was written for such
// servers; one at a time in a process. PHP thread; the code that runs in between may park.
#pragma once

#include "zend/call.h"
#include "zend/php.h"

namespace stampede::zend {

struct WebRequestFacts {
    zend_string* method;
    zend_string* uri;
    zend_string* query;
    zend_string* content_type;
    zend_string* cookies;
    zend_string* body;
};

// False when a request is under way already. `output` is called as output(string $data, bool
// $last) with what the application has printed: when its buffer is full, when it flushes, and at
// the end. With the first call the header fields are taken to be sent.
bool begin_web_request(const WebRequestFacts& facts, const Callable& output);
bool web_request_under_way();
// Runs a file as the main script of the request: its variables are the global ones.
void run_as_main_script(zend_string* file, zval* result);
// Shutdown functions, the session, output; then everything is as it was before begin_web_request().
// What throws on the way stays thrown, and the rest is done all the same.
void end_web_request();
// The script ends in the middle of it: what it has made goes with the script's memory.
void abandon_web_request();

}  // namespace stampede::zend
