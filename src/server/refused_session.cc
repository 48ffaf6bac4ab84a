#include "server/refused_session.h"

#include "proto/http1/response_writer.h"
#include "server/service.h"

namespace stampede::server {

void RefusedSession::refuse(int status) {
    proto::http1::append_error(connection_.cork(), status, service_.fields().date(),
                               proto::http1::ErrorBody::kSend);
    connection_.close_lingering();
    connection_.flush();
}

void RefusedSession::on_closed() {
    service_.admission().end_telling();
    service_.forget(connection_);
}

}  // namespace stampede::server
