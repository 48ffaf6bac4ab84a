// System V message queues. Thin calls, errno -> Error. Any thread; what is said to wait blocks it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.h"
#include "os/child_process.h"

namespace stampede::os {

// Messages between processes, of a type above 0. Positions: a queue's number.
Result<int> open_message_queue(int key);
struct QueueState {
    size_t messages, bytes;
};
Result<QueueState> queue_state(int queue);
Error limit_queue(int queue, size_t bytes);
Error remove_queue(int queue);
Error put_message(int queue, long type, std::string_view data, Waiting waiting);
// The first message (of this type when it is not 0), cut to the place there is.
Result<size_t> take_message(int queue, long type, std::span<char> out, Waiting waiting);

}  // namespace stampede::os
