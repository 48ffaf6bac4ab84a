// PHP's side of a web server, for the requests of the loop: what the engine calls to read a request
// and to send its response. PHP thread of a forked child.
#pragma once

#include "request_loop/request.h"
#include "request_loop/response.h"
#include "zend/php.h"

namespace stampede::request_loop {

// In place of the command line's functions, until this process ends.
void take_sapi(Request& request, Response& response);
// This process takes no request after the present one.
void end_after_request();
bool goes_on();

// Null in a child of the script's, and before take_sapi().
Response* own_response();
const Request& present_request();

// Before the engine's request startup.
void announce_request();

// After it: the body has been read, unless PHP was told not to.
void tell_uploads();

// The response is the client's now, the script goes on. False when it is already.
bool finish_response();

// Fields of the request's head by their names, as "Accept-Language", for an array of PHP.
void add_header_fields(HashTable* to);

}  // namespace stampede::request_loop
