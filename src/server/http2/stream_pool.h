// Where the streams of all HTTP/2 sessions come from and go back to. A stream that is given back is
// the next request's, of any connection: the caller makes sure that neither the protocol nor a
// list nor an exchange still leads to it. Owned by the service; loop thread; never parks.
#pragma once

#include "server/http2/stream.h"
#include "server/spares.h"

namespace stampede::server {

class Http2StreamPool {
public:
    Http2Stream& take() {
        Http2Stream* stream = spares_.take();
        return stream != nullptr ? *stream : *new Http2Stream();
    }
    void give_back(Http2Stream& stream) {
        if (spares_.full()) {
            delete &stream;
            return;
        }
        stream.reuse();
        spares_.keep(stream);
    }

private:
    static constexpr size_t kMostSpare = 256;

    Spares<Http2Stream> spares_{kMostSpare};
};

}  // namespace stampede::server
