// Parts PHP's heap between what lasts and what a request has, for processes that go back to an
// earlier state of their memory (os/checkpoint.h). Afterwards no page that holds anything lasting
// has room for more, so a request's blocks come from pages that hold nothing now: what the request
// leaves in them never has to be put back, and each page that needs not be is a copy less.
#pragma once

#include <vector>

#include "os/memory_image.h"

namespace stampede::zend {

// PHP thread, directly before the memory is kept: whatever is allocated in between may get one of
// the pages that it returns. In order of their addresses; none when PHP uses another allocator or
// memory_limit leaves no room.
std::vector<os::AddressRange> part_heap_of_requests();

}  // namespace stampede::zend
