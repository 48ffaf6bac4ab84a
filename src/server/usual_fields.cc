#include "server/usual_fields.h"

#include <cstring>

namespace stampede::server {

UsualFields::UsualFields(loop::Loop& loop) : loop_(loop) {
    std::memcpy(keep_alive_, kKeepAlive, sizeof(kKeepAlive));
    std::memcpy(closing_, kClosing, sizeof(kClosing));
}

void UsualFields::renew() {
    Nanos wall = wall_now();
    proto::http::format_date(static_cast<time_t>(wall / kSecond), keep_alive_ + kDateOffset);
    std::memcpy(closing_ + kDateOffset, keep_alive_ + kDateOffset, proto::http::kDateLength);
    valid_until_ = loop_.iteration_time() + kSecond - wall % kSecond;
}

}  // namespace stampede::server
