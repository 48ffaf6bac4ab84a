// What operators may ask the processes of a server by its control socket: the questions, and what a
// process says of itself. PHP thread, never parks.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/state.h"

namespace stampede::classes {

enum class Question : uint32_t {
    kCoroutines,
    kMemory,
    kRequests,
    kCancel,
    kProfile,
    kHeap,
    kGrowth,
};

// False: there is no question of this name.
bool find_question(std::string_view name, Question& out);
// What the response calls the answer of a process.
std::string_view name_of_answer(Question question);

// In the process that is asked: JSON. The argument is the coroutine of kCancel, or what the
// profiler and the report of the heap take (ext/observe).
std::string inspect(Question question, int64_t argument);

// In the supervisor, of memory that it shares with the process: "in_flight", the requests that have
// come to a worker and are not responded to, also while the worker is too busy to say so itself.
void show_in_flight(const ServerState& state, uint32_t line, zval* out);
// Of all requests so far, for latencies between two such moments. Null without metrics.
std::string latencies_json(ServerState& state);
std::string address_of(const shm::Facts& facts);

}  // namespace stampede::classes
