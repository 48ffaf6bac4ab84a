// What the application does with a connection of this worker, whether it asks here or in another
// process of the server. PHP thread, in a worker; never parks.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/state.h"
#include "net/connection.h"

namespace stampede::server {
class StreamSession;
}

namespace stampede::classes {

enum class Action : uint8_t {
    kSend,
    kSendFile,
    kPause,
    kResume,
    kProtect,
    kUnprotect,
    kBind,
    // What remote_responses.h says, in this order; number: of the response.
    kRespondHead,
    kRespondBody,
    kRespondFile,
    kRespondEnd
};

// A part of a file, as it is asked for: length 0 is the rest.
struct FilePart {
    uint64_t offset = 0;
    uint64_t length = 0;
};

// Null when its port speaks something else.
server::StreamSession* stream_of(const net::Connection& connection);

// Queues the string's bytes; they leave when the group of events ends.
void send_here(net::Connection& connection, zend_string* data);
// Opens it, and looks whether the part lies inside. False with errno, 0 when it does not.
bool open_part(const char* path, FilePart part, net::FileRange& out);
void send_file_here(net::Connection& connection, const net::FileRange& file);

// Whether its peer reads what other processes send, as far as these can know when they send more.
// False: it is closed, with a line in the log.
bool keeps_up(net::Connection& connection);
// After more of that was appended: other processes see how much is unsent. The connection may be
// closed afterwards.
void count_for_others(net::Connection& connection);

// Of a stream port. number: the uid of kBind. False when it is no such connection, or has a uid
// already.
bool act_here(net::Connection& connection, Action action, uint32_t number);

// What another process of the server wants.
void act_for_others(zend_long fd, Action action, uint32_t number, std::string_view body);
std::string part_message(const FilePart& part, std::string_view path);

}  // namespace stampede::classes
