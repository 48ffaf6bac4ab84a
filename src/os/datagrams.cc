#include "os/datagrams.h"

#include <cerrno>

namespace stampede::os {

struct DatagramReader::State {
    // The largest datagram of IP; of unix sockets, what is longer is cut off.
    static constexpr size_t kRoom = 65536;

    // Pages that no datagram reaches are never touched.
    std::unique_ptr<char[]> room{new char[kRoom * kMost]};
    Address peers[kMost];
    iovec parts[kMost];
    mmsghdr heads[kMost];
};

DatagramReader::DatagramReader() : state_(std::make_unique<State>()) {}

DatagramReader::~DatagramReader() = default;

int DatagramReader::receive(int fd) {
    State& state = *state_;
    for (int i = 0; i < kMost; i++) {
        state.parts[i] = {state.room.get() + static_cast<size_t>(i) * State::kRoom, State::kRoom};
        msghdr& head = state.heads[i].msg_hdr;
        head = {};
        head.msg_name = &state.peers[i].storage;
        head.msg_namelen = sizeof(state.peers[i].storage);
        head.msg_iov = &state.parts[i];
        head.msg_iovlen = 1;
    }
    int count = -1;
    do {
        count = ::recvmmsg(fd, state.heads, kMost, MSG_DONTWAIT, nullptr);
    } while (count < 0 && errno == EINTR);
    for (int i = 0; i < count; i++) {
        state.peers[i].length = state.heads[i].msg_hdr.msg_namelen;
        if (state.peers[i].length == 0) {  // a unix socket without a name
            state.peers[i].storage.ss_family = AF_UNIX;
        }
    }
    return count;
}

std::string_view DatagramReader::bytes(int index) const {
    return {static_cast<const char*>(state_->parts[index].iov_base), state_->heads[index].msg_len};
}

const Address& DatagramReader::peer(int index) const { return state_->peers[index]; }

}  // namespace stampede::os
