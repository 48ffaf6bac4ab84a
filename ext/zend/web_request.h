// What PHP keeps in globals for the one request of a web server (RequestState, ChangedSettings,
// ProcessSettings), for many requests at once: each has its own, which is installed while its
// coroutines run. Requests are begun and ended around code that was written for servers with one
// request at a time. PHP thread; the code that runs in between may park.
//
// A request belongs to the coroutine that began it (`context`), and coroutines that are created in
// it see it, too, until it ends. Switching is lazy: a switch between coroutines only compares their
// requests with `live_web_request`.
#pragma once

#include "base/clock.h"
#include "zend/call.h"
#include "zend/php.h"

namespace stampede::zend {

struct WebRequest;

// The one whose state the engine's globals hold; null: they hold the process's own.
extern WebRequest* live_web_request;

// In the middle of make_live(). What a setting does when it is changed may be a call that blocks (a
// driver opens its log): it blocks then, for a coroutine that waited here would be switched in
// again at this very place.
extern bool changing_web_request;

struct WebRequestFacts {
    HashTable* get;
    HashTable* post;
    HashTable* cookies;
    HashTable* files;
    HashTable* server;  // also method, target and the fields of content type and cookies
    zend_string* body;
};

// As they were given to begin_web_request().
const WebRequestFacts& facts_of(const WebRequest& request);

// Whether the running coroutine has begun a request that has not ended.
bool web_request_under_way();
// Begins one and makes it live; the caller holds the reference that is returned. `output`, when
// there is one, is called as output(string $data, bool $last) with what the request's coroutine has
// printed: when its buffer is full, when it flushes, and at the end. With the first call the header
// fields are taken to be sent. Without it output goes where it would go outside of requests.
WebRequest* begin_web_request(const WebRequestFacts& facts, const Callable& output);
// Runs a file as the main script of the request: its variables are the global ones. For so long
// after opcache has looked whether the file has changed, it need not look again.
void run_as_main_script(zend_string* file, Nanos trusted, zval* result);
// Calls a function that exit() ends in the same way, but for its `finally` blocks, which run.
void call_as_main_script(zend_fcall_info& fci, zend_fcall_info_cache& fcc, zval* result);
// Whether the running coroutine is in such a script or function.
bool main_script_runs();
// Ends it as exit() ends a script: no catch sees it, and what runs it returns.
void leave_main_script();
// What the running coroutine's request prints is kept, and flush() sends nothing, until
// release_output() takes it.
void hold_output();
zend_string* release_output();
// What header() was given as the first line of the response; empty when it was not.
const char* status_line();
// Those of register_shutdown_function(), which are forgotten then.
void run_shutdown_functions();
// Shutdown functions, the session, output; then the process's own state is live. What throws on the
// way stays thrown, and the rest is done all the same.
void end_web_request();
// Its coroutine has ended without ending it: its session is written, so that nobody waits for its
// lock, and its shutdown functions are not called.
void drop_web_request();
// The script ends in the middle of requests: the session of the live one is written.
void abandon_web_requests();
// Once in a process, before code of the application is compiled (see ProcessSettings).
void watch_settings_of_requests();

// Each side holds a reference to its request, the request one to itself until it ends. So an object
// may outlive its request, marked as ended, until the last coroutine that saw it is switched in
// again.
// ---- for the switch of coroutines
void hold(WebRequest& request);
void release(WebRequest& request);
bool has_ended(const WebRequest& request);
void make_live(WebRequest* request);
// A fatal error has ended the running coroutine. Whether the request was that coroutine's: then it
// is nobody's now, and only waits for its shutdown functions to run at the end of the process.
bool disown(WebRequest& request);

}  // namespace stampede::zend
