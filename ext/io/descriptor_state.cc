#include "io/descriptor_state.h"

namespace stampede::io {

std::vector<std::unique_ptr<DescriptorState>> descriptor_states;

DescriptorState& state_of(int fd) {
    constexpr size_t kMore = 64;
    auto index = static_cast<size_t>(fd);
    if (descriptor_states.size() <= index) {
        descriptor_states.resize(index + kMore);
    }
    std::unique_ptr<DescriptorState>& state = descriptor_states[index];
    if (state == nullptr) {
        state = std::make_unique<DescriptorState>();
        state->fd = fd;
    }
    return *state;
}

}  // namespace stampede::io
