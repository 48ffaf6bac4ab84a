#include "server/stall.h"

#include "os/log.h"

namespace stampede::server {

void log_stall(const net::Connection& connection) {
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#%lld is closed: its peer has taken nothing for too long "
                         "(send_timeout, http_write_timeout), %llu bytes are lost",
                         static_cast<long long>(connection.id()),
                         static_cast<unsigned long long>(connection.pending()));
}

void log_no_room(const net::Connection& connection) {
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#%lld is closed: its peer is slow, and neither memory nor disk "
                         "(response_spool_size) has room for what peers leave unread",
                         static_cast<long long>(connection.id()));
}

}  // namespace stampede::server
