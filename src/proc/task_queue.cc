#include "proc/task_queue.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/clock.h"
#include "os/message_queue.h"
#include "os/process.h"
#include "os/spool.h"

namespace stampede::proc {

namespace {

// Above it a task goes by file: the queue has room for several then.
constexpr size_t kInline = 3 * 1024;
// Messages that are looked at for the next one of a type. They are for all types in turn.
constexpr size_t kMostLooks = 64;
// Another one is needed when the layout of what follows it in a message changes.
constexpr uint64_t kMagic = 0x53746d7054736b32;

}  // namespace

struct TaskQueue::Envelope {
    uint64_t magic;
    uint64_t run;
    uint64_t size;  // of head and body
    uint64_t in_file;
    // Of a task that is in a file, the first bytes are here, too, before the name of the file.
    uint64_t front;
};

std::string TaskQueue::open(const Settings& settings, std::unique_ptr<TaskQueue>& out) {
    int queue = -1;
    std::string error = os::open_own_queue(settings.key, settings.user, queue);
    if (!error.empty()) {
        return error;
    }
    out.reset(new TaskQueue(queue, settings));
    if (out->state().tasks == 0) {
        os::clear_spool(settings.folder, out->prefix_);  // of a queue that was removed
    }
    return {};
}

TaskQueue::TaskQueue(int queue, const Settings& settings)
    : queue_(queue),
      folder_(settings.folder),
      run_(static_cast<uint64_t>(wall_now()) ^ static_cast<uint64_t>(os::own_pid()) << 40) {
    char prefix[48];
    std::snprintf(prefix, sizeof(prefix), "stampede-task.%x", static_cast<unsigned>(settings.key));
    prefix_ = prefix;
    if (Result<uid_t> owner = os::owner_of_queue(queue)) {
        owner_ = *owner;
    }
}

TaskQueue::State TaskQueue::state() const {
    Result<os::QueueState> state = os::queue_state(queue_);
    return state ? State{state->messages, state->bytes} : State{};
}

// All go through once, so that their order stays; there is room for each again.
size_t TaskQueue::adopt(long first, long last) {
    size_t count = state().tasks;
    long next = first;
    for (size_t i = 0; i < count; i++) {
        auto taken = os::take_message(queue_, 0, sizeof(Envelope) + kInline, os::Waiting::kLook);
        if (!taken) {
            break;
        }
        long type = taken->type;
        if (type < first || type > last) {
            type = next;
            next = next < last ? next + 1 : first;
        }
        (void)os::put_message(queue_, type, taken->bytes, os::Waiting::kLook);
    }
    return count;
}

Result<TaskQueue::Packed> TaskQueue::pack(std::string_view head, std::string_view body) const {
    size_t size = head.size() + body.size();
    if (size > kMostTask) {
        return Error::system(EMSGSIZE);
    }
    Packed task;
    std::string_view front;
    if (size > kInline) {
        auto file = os::write_spooled(folder_, prefix_, {head, body}, owner_);
        if (!file) {
            return file.error();
        }
        task.file = std::move(*file);
        front = head.substr(0, kMostFront);
        head = front;
        body = task.file;
    }
    Envelope envelope = {kMagic, run_, size, task.file.empty() ? 0u : 1u, front.size()};
    task.bytes.reserve(sizeof(envelope) + head.size() + body.size());
    task.bytes.append(reinterpret_cast<const char*>(&envelope), sizeof(envelope));
    task.bytes.append(head).append(body);
    return task;
}

Error TaskQueue::put(long type, const Packed& task) const {
    return os::put_message(queue_, type, task.bytes, os::Waiting::kLook);
}

void TaskQueue::discard(const Packed& task) const {
    if (!task.file.empty()) {
        os::remove_spooled(folder_, task.file);
    }
}

Result<TaskQueue::Taken> TaskQueue::take(long type) const {
    auto taken = os::take_message(queue_, type, sizeof(Envelope) + kInline, os::Waiting::kLook);
    if (!taken) {
        return taken.error();
    }
    return unpack(taken->bytes);
}

// What follows the envelope.
Result<std::string_view> TaskQueue::read_envelope(std::string_view message, Envelope& envelope) {
    if (message.size() < sizeof(envelope)) {
        return Error::system(EBADMSG);
    }
    std::memcpy(&envelope, message.data(), sizeof(envelope));
    message.remove_prefix(sizeof(envelope));
    if (envelope.magic != kMagic || envelope.front > message.size()) {
        return Error::system(EBADMSG);
    }
    return message;
}

Result<TaskQueue::Taken> TaskQueue::unpack(std::string_view message) const {
    Envelope envelope;
    auto content = read_envelope(message, envelope);
    if (!content) {
        return content.error();
    }
    content->remove_prefix(envelope.front);
    Taken task;
    task.is_old = envelope.run != run_;
    if (envelope.in_file == 0) {
        task.bytes = *content;
    } else if (content->starts_with(prefix_)) {
        auto file = os::take_spooled(folder_, std::string(*content), owner_, kMostTask);
        if (file) {
            task.bytes = std::move(*file);
        }
    }
    if (task.bytes.size() != envelope.size) {
        return Error::system(EBADMSG);
    }
    return task;
}

Result<TaskQueue::Taken> TaskQueue::front_of(std::string_view message) const {
    Envelope envelope;
    auto content = read_envelope(message, envelope);
    if (!content) {
        return content.error();
    }
    size_t size = envelope.in_file != 0 ? envelope.front : kMostFront;
    return Taken{std::string(content->substr(0, size)), envelope.run != run_};
}

// Others may take messages of other types meanwhile, which moves those behind to the front. So the
// way back from the first one that was found sees all before it.
Result<TaskQueue::Taken> TaskQueue::look(long type) const {
    size_t position = 0;
    for (; position < kMostLooks; position++) {
        auto copied = os::copy_message(queue_, position, sizeof(Envelope) + kInline);
        if (!copied) {
            return copied.error();
        }
        if (type == 0 || copied->type == type) {
            break;
        }
    }
    if (position == kMostLooks) {
        return Error::system(ENOMSG);
    }
    Result<Taken> found = Error::system(ENOMSG);
    for (size_t i = position + 1; i-- > 0;) {
        auto copied = os::copy_message(queue_, i, sizeof(Envelope) + kInline);
        if (copied && (type == 0 || copied->type == type)) {
            found = front_of(copied->bytes);
        }
    }
    return found;
}

// Backwards, for the same reason.
std::vector<std::string> TaskQueue::fronts() const {
    std::vector<std::string> fronts;
    for (size_t i = state().tasks; i-- > 0;) {
        auto copied = os::copy_message(queue_, i, sizeof(Envelope) + kInline);
        if (!copied) {
            continue;
        }
        if (Result<Taken> front = front_of(copied->bytes)) {
            fronts.push_back(std::move(front->bytes));
        }
    }
    return fronts;
}

}  // namespace stampede::proc
