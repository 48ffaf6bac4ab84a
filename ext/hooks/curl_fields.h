// Header fields that transfers of ext-curl get besides what the application has set for them: those
// that carry a trace to the next server. libcurl reads a list of lines while a transfer runs; ours
// is put in front of the application's, whose nodes stay where they are, and is taken away when the
// transfer has ended. PHP thread, never parks.
#pragma once

#include <string>
#include <vector>

namespace stampede::hooks {

// Only handles that were made since can be given fields: what the others were told is not known.
void follow_curl_handles();
// False on other threads.
bool follows_curl_handles();

// For the next transfer that the running code begins. Each a line "name: value"; one whose name the
// application sends itself is left out.
void set_outgoing_fields(std::vector<std::string> lines);
// Unless a transfer has taken them.
void forget_outgoing_fields();

// The transfer of a handle begins, and has ended.
void add_fields(void* handle);
void take_fields_back(void* handle);

}  // namespace stampede::hooks
