#include "classes/http/response_body.h"

#include <utility>

#include "ext/server/response_spool.h"
#include "zend/view.h"

namespace stampede::classes {

using zend::view;

namespace {

bool is_copied(const server::Exchange& exchange, size_t length) {
    return length < kLargePiece &&
           (!ResponseSpool::get().is_used() || exchange.pending() < kLargePiece);
}

void send_piece(server::Exchange& exchange, const net::BytesRef& piece) {
    ResponseSpool& spool = ResponseSpool::get();
    if (spool.is_used()) {
        spool.send(exchange, piece);
    } else {
        exchange.send_body_ref(piece);
    }
}

}  // namespace

void send_content(server::Exchange& exchange, zend_string* content) {
    if (is_copied(exchange, ZSTR_LEN(content))) {
        exchange.send_body(view(content));
        return;
    }
    net::BytesRef piece;
    piece.bytes = view(content);
    piece.owner = zend_string_copy(content);
    piece.release = [](void* owner) { zend_string_release(static_cast<zend_string*>(owner)); };
    send_piece(exchange, piece);
}

void send_content(server::Exchange& exchange, Buffer&& content) {
    if (is_copied(exchange, content.size())) {
        exchange.send_body(content.view());
        return;
    }
    auto* kept = new Buffer(std::move(content));
    net::BytesRef piece;
    piece.bytes = kept->view();
    piece.owner = kept;
    piece.release = [](void* owner) { delete static_cast<Buffer*>(owner); };
    send_piece(exchange, piece);
}

}  // namespace stampede::classes
