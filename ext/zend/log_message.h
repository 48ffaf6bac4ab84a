// The engine's messages on their way into the log (sapi_module.log_message): what clients put into
// them can neither make lines that look like others nor speak to a terminal, and is not endless.
// stampede.log_messages says which of the two forms they have; without it they are the SAPI's.
// PHP thread, also after a fatal error: nothing here allocates memory of the engine.
#pragma once

#include <string>
#include <string_view>

namespace stampede::zend {

// The name of the request that runs now, in a process whose requests the SAPI does not know; may
// write it to the room. Empty: there is none.
inline constexpr size_t kRequestNameRoom = 32;
using RequestName = std::string_view (*)(char (&room)[kRequestNameRoom]);
void name_requests_by(RequestName name);

// Lines: those after the first are indented, so that none looks like the first of another message.
std::string log_lines(std::string_view message);

}  // namespace stampede::zend
