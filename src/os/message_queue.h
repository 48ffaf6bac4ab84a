// System V message queues. Thin calls, errno -> Error. Any thread; what is said to wait blocks it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
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
// `bytes` are valid until this thread takes or copies the next one.
struct TakenMessage {
    long type;
    std::string_view bytes;
};
// The first message (of this type when it is not 0), cut to `most` bytes.
Result<TakenMessage> take_message(int queue, long type, size_t most, Waiting waiting);
// The message at this position of the whole queue, which stays; ENOMSG: there are not so many. Not
// every kernel can (ENOSYS, EINVAL).
Result<TakenMessage> copy_message(int queue, size_t position, size_t most);

// A queue that the processes of this user alone can read and write (empty: the user of this
// process), made when there is none. One sentence on failure: somebody else has made it, or others
// can write to it.
std::string open_own_queue(int key, const std::string& user, int& queue);
// The user whose queue it is.
Result<uid_t> owner_of_queue(int queue);

}  // namespace stampede::os
