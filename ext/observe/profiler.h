// A sampling profiler of this process, for the operator: where its PHP code computes, and what its
// coroutines wait for. Off until it is asked for, and off again when nobody has asked for a
// quarter of a minute. A helper thread looks a hundred times a second and raises the engine's
// interrupt flag; stacks are taken on the PHP thread, between two instructions. Never parks.
#pragma once

#include <cstdint>
#include <string>

namespace stampede::observe {

enum class ProfileMode : uint8_t {
    kOff,
    kCpu,   // code that computes
    kWall,  // coroutines that wait as well
};

// The client that asks, and for what: two clients at once would share the samples.
struct ProfileRequest {
    ProfileMode mode;
    int64_t session;
};
// The one number that it comes as: the session, with the mode in the two lowest bits.
ProfileRequest profile_request_of(int64_t number);

// Begins or goes on, or ends; JSON with what was seen since the last request of the session.
std::string profile(const ProfileRequest& request);

void install_profiler();  // once per process, costs nothing until it is on
void remove_profiler();
// The script ends, whose strings it holds.
void end_profile();

}  // namespace stampede::observe
