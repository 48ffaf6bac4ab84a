// The target of a request, taken apart. A free function over bytes; any thread, never parks.
#pragma once

#include <cstdint>

#include "proto/http/request_head.h"

namespace stampede::proto::http {

// Takes a target apart that is not a plain origin-form one: sets path, query and authority. 0, or
// the status of the refusal.
uint16_t split_target(const char* data, RequestHead& out);

}  // namespace stampede::proto::http
