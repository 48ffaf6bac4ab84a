// A local socket for the operator of a server: a unix stream socket that its owner alone may
// connect to, one line in, one line out. Lines are only carried here; their meaning is the owner's.
// A client has one line in progress at a time, so that it cannot queue work. Limits: 64 KiB a line,
// 16 clients, 60 seconds for each line and for each response. Owned by the supervisor, loop thread,
// never parks and never blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "loop/loop.h"

namespace stampede::proc {

class ControlSocket {
public:
    static constexpr size_t kMostLine = 64 * 1024;
    static constexpr size_t kMostClients = 16;
    static constexpr Nanos kPatience = 60 * kSecond;

    // Called in the ready phase of an iteration. Each line is to be replied to with one respond().
    using Receiver = void (*)(void* owner, uint64_t client, std::string_view line);

    // Makes the socket, mode 0600. One that a dead process has left is replaced; one in use, or a
    // file of another kind, is EADDRINUSE.
    static Result<std::unique_ptr<ControlSocket>> open(const std::string& path);
    // In the process that serves: removes the file.
    ~ControlSocket();
    ControlSocket(const ControlSocket&) = delete;
    ControlSocket& operator=(const ControlSocket&) = delete;

    Error serve(loop::Loop& loop, Receiver receiver, void* owner, Nanos patience = kPatience);
    // A line, without its end. Ignored when the client has gone.
    void respond(uint64_t client, std::string_view line);
    size_t client_count() const { return clients_.size(); }
    // In a forked child: closes its copies, and leaves the parent's loop, clients and file alone.
    void abandon();

private:
    struct Listener : loop::Watch {
        ControlSocket* control = nullptr;
    };
    struct PauseTimer : loop::Timer {
        ControlSocket* control = nullptr;
    };
    struct Client : loop::Watch {
        struct LineTask : loop::Task {
            Client* client = nullptr;
        };
        struct PatienceTimer : loop::Timer {
            Client* client = nullptr;
        };
        ControlSocket* control = nullptr;
        uint64_t id = 0;
        std::string input;
        std::string line;  // in progress
        std::string output;
        size_t sent = 0;
        bool waiting = false;  // for the response to its line
        bool ended = false;    // sends nothing any more
        bool last = false;     // is closed when it has read its response
        LineTask task;
        PatienceTimer timer;
    };

    explicit ControlSocket(std::string path);
    void accept_clients();
    void pause_accepting();
    void add_client(int fd);
    void on_ready(Client& client, uint32_t events);
    void read_from(Client& client);
    void next_line(Client& client);
    void refuse_line(Client& client);
    void flush(Client& client);
    void want(Client& client, uint32_t interest);
    void drop(Client& client);

    std::string path_;
    uint64_t mark_ = 0;  // of the file as it was made: another's is not removed
    int32_t pid_ = 0;
    loop::Loop* loop_ = nullptr;
    Receiver receiver_ = nullptr;
    void* owner_ = nullptr;
    Nanos patience_ = kPatience;
    Listener listener_;
    PauseTimer pause_;
    std::vector<std::unique_ptr<Client>> clients_;
    uint64_t next_id_ = 1;
};

}  // namespace stampede::proc
