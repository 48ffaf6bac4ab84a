// The options of the API's servers that do nothing here, and why: without effect by design, or
// missing, so that a server which is given one refuses to start. PHP thread, never parks.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/state.h"

namespace stampede::classes {

enum class OptionState : uint8_t { kNoEffect, kMissing };

struct ApiOption {
    std::string_view name;
    OptionState state;
    std::string_view why;  // ends a sentence: "... because WHY"
};

// Null for options that work, and for names that the API does not know.
const ApiOption* find_api_option(std::string_view name);
// All of them, for `php --ri stampede`.
void print_api_options();

// In a worker: the options of coroutines that the server was given are as those of
// Coroutine::set().
void use_coroutine_options(ServerState& state);

// Before start() does anything: admin_server. False with an exception.
bool prepare_admin_server(ServerState& state);
// In a worker that begins to serve: stats_file.
void start_stats_file(ServerState& state);

// Says once in the log which options that were given have no effect. One sentence when one is
// missing that would change what the server does.
std::string note_api_options(ServerState& state);

// A server of the coroutine style runs where it was started: says once in the log which of the
// options that it was given are of workers and their supervisor.
void note_options_of_workers(HashTable* given);

}  // namespace stampede::classes
