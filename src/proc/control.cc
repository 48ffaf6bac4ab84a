#include "proc/control.h"

#include "os/fd.h"
#include "os/file.h"
#include "os/process.h"
#include "os/socket.h"

namespace stampede::proc {

namespace {

constexpr int kBacklog = 16;
constexpr unsigned kOwnerOnly = 0600;
constexpr Nanos kAcceptPause = kSecond;
constexpr size_t kReadSize = 16 * 1024;

}  // namespace

ControlSocket::ControlSocket(std::string path) : path_(std::move(path)), pid_(os::own_pid()) {}

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(const std::string& path) {
    Result<os::Address> address = os::parse_unix(path.c_str());
    if (!address) {
        return address.error();
    }
    os::ListenOptions options;
    options.backlog = kBacklog;
    options.unix_mode = kOwnerOnly;
    Result<int> fd = os::listen_stream(*address, options);
    if (!fd) {
        return fd.error();
    }
    std::unique_ptr<ControlSocket> control(new ControlSocket(path));
    control->listener_.fd = *fd;
    control->mark_ = os::file_mark(path.c_str());
    return control;
}

// A copy of this object in a child of this process must not touch what the parent still uses.
ControlSocket::~ControlSocket() {
    if (pid_ != os::own_pid()) {
        abandon();
    }
    if (listener_.fd < 0) {
        return;
    }
    while (!clients_.empty()) {
        drop(*clients_.back());
    }
    if (loop_ != nullptr) {
        loop_->disarm(pause_);
        if (listener_.on_ready != nullptr) {
            loop_->unwatch(listener_);
        }
    }
    os::close_fd(listener_.fd);
    if (os::file_mark(path_.c_str()) == mark_) {
        os::remove_file(path_);
    }
}

void ControlSocket::abandon() {
    os::close_fd(listener_.fd);
    listener_.fd = -1;
    for (auto& client : clients_) {
        os::close_fd(client->fd);
        client->timer.unlink();  // from a wheel that the child throws away
        client->task.unlink();
    }
    pause_.unlink();
    clients_.clear();
}

Error ControlSocket::serve(loop::Loop& loop, Receiver receiver, void* owner, Nanos patience) {
    pid_ = os::own_pid();  // the process that has opened it may have gone to the background since
    loop_ = &loop;
    receiver_ = receiver;
    owner_ = owner;
    patience_ = patience;
    pause_.control = this;
    pause_.on_fire = [](loop::Timer& timer) {
        ControlSocket& self = *static_cast<PauseTimer&>(timer).control;
        (void)self.loop_->set_interest(self.listener_, loop::kReadable);
    };
    listener_.control = this;
    listener_.interest = loop::kReadable;
    listener_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<Listener&>(watch).control->accept_clients();
    };
    Error error = loop.watch(listener_);
    if (error) {
        listener_.on_ready = nullptr;
    }
    return error;
}

void ControlSocket::accept_clients() {
    for (size_t i = 0; i < kMostClients; i++) {
        os::Address peer;
        Result<int> fd = os::accept_stream(listener_.fd, peer);
        if (fd) {
            add_client(*fd);
        } else if (fd.error().is_system(EAGAIN)) {
            return;
        } else if (!fd.error().is_system(ECONNABORTED) && !fd.error().is_system(EINTR)) {
            pause_accepting();
            return;
        }
    }
}

// Without descriptors the listener stays readable: the supervisor would do nothing but try.
void ControlSocket::pause_accepting() {
    (void)loop_->set_interest(listener_, 0);
    loop_->arm(pause_, kAcceptPause);
}

void ControlSocket::add_client(int fd) {
    if (clients_.size() >= kMostClients) {
        constexpr std::string_view kFull =
            "{\"error\":\"too many clients: the control socket serves 16 at a time\"}\n";
        (void)os::send_bytes(fd, kFull.data(), kFull.size());
        os::close_fd(fd);
        return;
    }
    auto client = std::make_unique<Client>();
    client->control = this;
    client->id = next_id_++;
    client->fd = fd;
    client->interest = loop::kReadable;
    client->on_ready = [](loop::Watch& watch, uint32_t events) {
        auto& self = static_cast<Client&>(watch);
        self.control->on_ready(self, events);
    };
    client->task.client = client.get();
    client->task.run = [](loop::Task& task) {
        Client& self = *static_cast<Client::LineTask&>(task).client;
        ControlSocket& control = *self.control;
        // The client may go while its line is handled.
        std::string line = std::move(self.line);
        control.receiver_(control.owner_, self.id, line);
    };
    client->timer.client = client.get();
    client->timer.on_fire = [](loop::Timer& timer) {
        Client& self = *static_cast<Client::PatienceTimer&>(timer).client;
        self.control->drop(self);
    };
    if (loop_->watch(*client)) {
        os::close_fd(fd);
        return;
    }
    loop_->arm(client->timer, patience_);
    clients_.push_back(std::move(client));
}

void ControlSocket::on_ready(Client& client, uint32_t events) {
    if (!client.output.empty()) {
        flush(client);
    } else if (!client.waiting) {
        read_from(client);
    } else if ((events & loop::kHangup) != 0) {
        drop(client);
    }
}

void ControlSocket::read_from(Client& client) {
    char bytes[kReadSize];
    long count = os::receive(client.fd, bytes, sizeof(bytes));
    if (count < 0) {
        if (errno != EAGAIN) {
            drop(client);
        }
        return;
    }
    client.ended = count == 0;
    client.input.append(bytes, static_cast<size_t>(count));
    next_line(client);
}

// The rest of what came stays until the response to this line has been read.
void ControlSocket::next_line(Client& client) {
    size_t end = client.input.find('\n');
    if (end > kMostLine && client.input.size() > kMostLine) {  // also when there is no end yet
        refuse_line(client);
        return;
    }
    if (end == std::string::npos) {
        if (client.ended) {
            drop(client);
        } else {
            want(client, loop::kReadable);
        }
        return;
    }
    client.line.assign(client.input, 0, end);
    client.input.erase(0, end + 1);
    client.waiting = true;
    want(client, 0);
    loop_->arm(client.timer, patience_);
    loop_->enqueue(client.task);
}

void ControlSocket::refuse_line(Client& client) {
    client.waiting = true;
    client.last = true;
    respond(client.id, "{\"error\":\"a line has at most 65536 bytes\"}");
}

void ControlSocket::respond(uint64_t id, std::string_view line) {
    for (auto& client : clients_) {
        if (client->id == id && client->waiting) {
            client->waiting = false;
            client->output.assign(line);
            client->output += '\n';
            client->sent = 0;
            loop_->arm(client->timer, patience_);
            flush(*client);
            return;
        }
    }
}

void ControlSocket::flush(Client& client) {
    while (client.sent < client.output.size()) {
        long count = os::send_bytes(client.fd, client.output.data() + client.sent,
                                    client.output.size() - client.sent);
        if (count < 0 && errno == EAGAIN) {
            want(client, loop::kWritable);
            return;
        }
        if (count < 0) {
            drop(client);
            return;
        }
        client.sent += static_cast<size_t>(count);
    }
    std::string().swap(client.output);
    if (client.last) {
        drop(client);
        return;
    }
    loop_->arm(client.timer, patience_);
    next_line(client);
}

void ControlSocket::want(Client& client, uint32_t interest) {
    if (client.interest != interest) {
        (void)loop_->set_interest(client, interest);
    }
}

void ControlSocket::drop(Client& client) {
    loop_->disarm(client.timer);
    client.task.unlink();
    loop_->unwatch(client);
    os::close_fd(client.fd);
    for (size_t i = 0; i < clients_.size(); i++) {
        if (clients_[i].get() == &client) {
            clients_.erase(clients_.begin() + static_cast<long>(i));
            return;
        }
    }
}

}  // namespace stampede::proc
