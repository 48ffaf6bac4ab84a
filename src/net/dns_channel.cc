#include "net/dns_channel.h"

#include <algorithm>

namespace stampede::net {

DnsChannel::DnsChannel(loop::Loop& loop) : loop_(loop) {
    timer_.owner = this;
    timer_.on_fire = [](loop::Timer& timer) {
        DnsChannel& self = *static_cast<Timer&>(timer).owner;
        self.loop_.ignore_for_liveness(0, -1);
        self.process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    };
}

Result<std::unique_ptr<DnsChannel>> DnsChannel::create(loop::Loop& loop, const Options& options) {
    static const int ready = ares_library_init(ARES_LIB_INIT_ALL);
    std::unique_ptr<DnsChannel> self(new DnsChannel(loop));
    ares_options given{};
    int mask = ARES_OPT_SOCK_STATE_CB;
    given.sock_state_cb = on_socket_state;
    given.sock_state_cb_data = self.get();
    std::string path = options.resolv_conf;
    if (!path.empty()) {
        given.resolvconf_path = path.data();
        mask |= ARES_OPT_RESOLVCONF;
    }
    if (options.try_millis > 0) {
        given.timeout = options.try_millis;
        mask |= ARES_OPT_TIMEOUTMS;
    }
    if (options.tries > 0) {
        given.tries = options.tries;
        mask |= ARES_OPT_TRIES;
    }
    if (ready != ARES_SUCCESS || ares_init_options(&self->channel_, &given, mask) != ARES_SUCCESS) {
        return Error::system(ENOMEM);
    }
    if (!options.servers.empty() &&
        ares_set_servers_ports_csv(self->channel_, options.servers.c_str()) != ARES_SUCCESS) {
        return Error::server(ServerError::kBadAddress);
    }
    return self;
}

bool DnsChannel::can_read(const std::string& servers) {
    ares_channel trial = nullptr;
    if (ares_init(&trial) != ARES_SUCCESS) {
        return false;
    }
    int status = ares_set_servers_ports_csv(trial, servers.c_str());
    ares_destroy(trial);
    return status == ARES_SUCCESS;
}

DnsChannel::~DnsChannel() {
    stop_timer();
    if (channel_ != nullptr) {
        ares_destroy(channel_);
    }
    while (!sockets_.empty()) {
        set_interest(sockets_.back()->fd, 0);
    }
}

void DnsChannel::query(const char* name, int family, ares_addrinfo_callback callback, void* arg) {
    ares_addrinfo_hints hints{};
    hints.ai_family = family;
    hints.ai_socktype = SOCK_STREAM;
    // Ordering by what can be reached costs a socket an address; it decides between families.
    hints.ai_flags = family == AF_UNSPEC ? 0 : ARES_AI_NOSORT;
    busy_++;
    ares_getaddrinfo(channel_, name, nullptr, &hints, callback, arg);
    busy_--;
    set_timer();
}

void DnsChannel::give_up() {
    if (busy()) {
        return;
    }
    busy_++;
    ares_cancel(channel_);
    busy_--;
    set_timer();
}

void DnsChannel::process(int readable, int writable) {
    busy_++;
    ares_process_fd(channel_, readable, writable);
    busy_--;
    set_timer();
}

void DnsChannel::on_socket_state(void* arg, ares_socket_t fd, int readable, int writable) {
    static_cast<DnsChannel*>(arg)->set_interest(
        fd, (readable != 0 ? loop::kReadable : 0) | (writable != 0 ? loop::kWritable : 0));
}

void DnsChannel::set_interest(int fd, uint32_t interest) {
    auto place = std::find_if(sockets_.begin(), sockets_.end(),
                              [fd](const auto& socket) { return socket->fd == fd; });
    if (interest == 0) {
        if (place != sockets_.end()) {
            loop_.unwatch(**place);
            loop_.ignore_for_liveness(-1, 0);
            sockets_.erase(place);
        }
        return;
    }
    if (place != sockets_.end()) {
        static_cast<void>(loop_.set_interest(**place, interest));
        return;
    }
    auto socket = std::make_unique<Socket>();
    socket->fd = fd;
    socket->interest = interest;
    socket->owner = this;
    socket->on_ready = on_ready;
    if (!loop_.watch(*socket)) {  // otherwise the query's time-out ends it
        loop_.ignore_for_liveness(1, 0);
        sockets_.push_back(std::move(socket));
    }
}

void DnsChannel::on_ready(loop::Watch& watch, uint32_t events) {
    // The watch may be gone after this.
    bool writable = (events & loop::kWritable) != 0;
    bool readable = (events & (loop::kReadable | loop::kHangup)) != 0;
    int fd = watch.fd;
    static_cast<Socket&>(watch).owner->process(readable ? fd : ARES_SOCKET_BAD,
                                               writable ? fd : ARES_SOCKET_BAD);
}

void DnsChannel::set_timer() {
    timeval room{};
    timeval* next = ares_timeout(channel_, nullptr, &room);
    if (next == nullptr) {
        stop_timer();
        return;
    }
    if (!timer_.armed()) {
        loop_.ignore_for_liveness(0, 1);
    }
    loop_.arm(timer_, next->tv_sec * kSecond + next->tv_usec * kMicrosecond);
}

void DnsChannel::stop_timer() {
    if (timer_.armed()) {
        loop_.disarm(timer_);
        loop_.ignore_for_liveness(0, -1);
    }
}

}  // namespace stampede::net
