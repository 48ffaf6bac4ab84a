// How long the peer of an HTTP/2 connection may take: for a head, a body, its next request, and to
// let a response go on. Looks at all streams now and then, by the connection's deadline. Owned by
// its session; loop thread; never parks.
#pragma once

#include "base/clock.h"

namespace stampede::server {

class Http2Intake;
struct Http2Shared;
struct Http2Stream;

class Http2Deadlines {
public:
    Http2Deadlines(Http2Shared& shared, Http2Intake& intake) : shared_(shared), intake_(intake) {}

    // The connection's deadline has come.
    void check(Nanos now);

private:
    void check_idle(Nanos now);
    void check_streams(Nanos now);
    bool check_request(Http2Stream& stream, Nanos now);
    bool check_response(Http2Stream& stream, Nanos now);
    Nanos next_check(Nanos now);

    Http2Shared& shared_;
    Http2Intake& intake_;
    bool leaving_ = false;  // the connection ends with the streams that are open
};

}  // namespace stampede::server
