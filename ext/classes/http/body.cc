// Stampede\Http\Body: what a request's body is read through, streamed or whole.
#include "classes/http/body.h"

#include <algorithm>
#include <cerrno>

#include "error_numbers.h"
#include "io/descriptor.h"
#include "runtime/runtime.h"
#include "stubs/http_body_arginfo.h"
#include "subsystems.h"
#include "zend/gc_roots.h"
#include "zend/object.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr size_t kPiece = 65536;

zend_object_handlers handlers;

struct BodyObject {
    zend_object* request = nullptr;
    uint64_t read = 0;  // of a body that is in memory
    zend_string* piece = nullptr;
    zend_long number = 0;
    zend_object std;
};

void free_body(zend_object* object) {
    auto& body = zend::from_object<BodyObject>(object);
    if (body.piece != nullptr) {
        zend_string_release(body.piece);
    }
    if (body.request != nullptr) {
        OBJ_RELEASE(body.request);
    }
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    zend::GcRoots roots;
    roots.add(zend::from_object<BodyObject>(object).request);
    return roots.with_properties(object, table, count);
}

server::Exchange* streamed(const BodyObject& body) {
    server::Exchange* exchange = request_of(body.request)->exchange;
    return exchange != nullptr && exchange->body.streams() ? exchange : nullptr;
}

std::string_view rest_in_memory(const BodyObject& body) {
    std::string_view all = source_of(*request_of(body.request)).body;
    return all.substr(std::min<uint64_t>(body.read, all.size()));
}

// Null when it cannot be had; "" at the end.
zend_string* read_streamed(server::Exchange& exchange, size_t most, Nanos deadline) {
    exchange.hold();
    zend_string* piece = nullptr;
    while (exchange.body.view().empty() && !exchange.body.whole() &&
           await_body(exchange, deadline)) {
    }
    std::string_view there = exchange.body.view().substr(0, most);
    if (!there.empty()) {
        piece = zend_string_init(there.data(), there.size(), 0);
        exchange.consume_body(there.size());
    } else if (exchange.body.whole()) {
        piece = ZSTR_EMPTY_ALLOC();
    }
    exchange.release();
    return piece;
}

zend_string* read_piece(BodyObject& body, size_t most, Nanos deadline) {
    if (server::Exchange* exchange = streamed(body)) {
        return read_streamed(*exchange, most, deadline);
    }
    std::string_view there = rest_in_memory(body).substr(0, most);
    body.read += there.size();
    return zend_string_init(there.data(), there.size(), 0);
}

void drop_piece(BodyObject& body) {
    if (body.piece != nullptr) {
        zend_string_release(body.piece);
        body.piece = nullptr;
    }
}

void advance(BodyObject& body) {
    drop_piece(body);
    body.piece = read_piece(body, kPiece, kNever);
    if (body.piece == nullptr && zend::pending_exception() == nullptr) {
        zend::throw_error(zend::error_classes.exception, zend::last_error(),
                          "the body of the request broke off");
    }
}

// Null, with an error under way, when the constructor was not called.
BodyObject* usable(zval* object) {
    auto& body = zend::from_this<BodyObject>(object);
    if (body.request == nullptr) {
        zend_throw_error(nullptr, "Stampede\\Http\\Body has no request: call its constructor");
        return nullptr;
    }
    return &body;
}

}  // namespace

bool await_body(server::Exchange& exchange, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    if (exchange.connection() == nullptr) {
        zend::set_last_error(api_error::kSessionClosed);
        return false;
    }
    if (!exchange.readers.empty()) {
        zend::set_last_error(EBUSY);
        zend::warning("another coroutine reads the body of this request: only one can at a time");
        return false;
    }
    if (!runtime.can_park()) {
        zend::set_last_error(EAGAIN);
        return false;
    }
    exchange.consume_body(0);
    exchange.hold();
    runtime::Fiber& self = *runtime.current();
    exchange.readers.push_back(self.wait);
    WakeReason reason = runtime.park(deadline);
    self.wait.unlink();
    exchange.release();
    if (reason == WakeReason::kTimeout || reason == WakeReason::kCancelled) {
        zend::set_last_error(reason == WakeReason::kTimeout ? ETIMEDOUT : ECANCELED);
    }
    return reason == WakeReason::kReady || reason == WakeReason::kClosed;
}

bool collect_body(RequestObject& request) {
    server::Exchange* exchange = request.exchange;
    if (exchange == nullptr || !exchange->body.streams()) {
        return true;
    }
    exchange->hold();
    uint64_t limit = request.options->body_limit;
    exchange->body.set_room(static_cast<size_t>(limit) * 2 + kPiece);
    while (!exchange->body.whole() && exchange->body.view().size() <= limit &&
           await_body(*exchange, kNever)) {
    }
    bool fits = exchange->body.view().size() <= limit;
    bool whole = exchange->body.whole() && fits;
    exchange->release();
    if (!fits) {
        zend::warning(
            "the body of the request is larger than package_max_length: read it through "
            "Stampede\\Http\\Body");
    }
    return whole;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Stampede_Http_Body, __construct) {
    zval* request;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJECT_OF_CLASS(request, request_class)
    ZEND_PARSE_PARAMETERS_END();
    auto& body = zend::from_this<BodyObject>(ZEND_THIS);
    if (body.request == nullptr) {
        body.request = Z_OBJ_P(request);
        GC_ADDREF(body.request);
    }
}

ZEND_METHOD(Stampede_Http_Body, read) {
    zend_long length = kPiece;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (length < 1) {
        zend_argument_value_error(1, "must be greater than 0");
        RETURN_THROWS();
    }
    BodyObject* body = usable(ZEND_THIS);
    if (body == nullptr) {
        RETURN_THROWS();
    }
    Nanos deadline = timeout < 0 ? kNever : io::deadline_in(static_cast<Nanos>(timeout * 1e9));
    zend_string* piece = read_piece(*body, static_cast<size_t>(length), deadline);
    if (piece == nullptr) {
        RETURN_FALSE;
    }
    RETURN_STR(piece);
}

ZEND_METHOD(Stampede_Http_Body, eof) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    if (body == nullptr) {
        RETURN_THROWS();
    }
    server::Exchange* exchange = streamed(*body);
    RETURN_BOOL(exchange != nullptr ? exchange->body.whole() && exchange->body.view().empty()
                                    : rest_in_memory(*body).empty());
}

ZEND_METHOD(Stampede_Http_Body, rewind) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    if (body != nullptr && body->piece == nullptr) {
        advance(*body);
    }
}

ZEND_METHOD(Stampede_Http_Body, valid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    RETURN_BOOL(body != nullptr && body->piece != nullptr && ZSTR_LEN(body->piece) > 0);
}

ZEND_METHOD(Stampede_Http_Body, current) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    if (body == nullptr || body->piece == nullptr) {
        RETURN_EMPTY_STRING();
    }
    RETURN_STR_COPY(body->piece);
}

ZEND_METHOD(Stampede_Http_Body, key) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    RETURN_LONG(body != nullptr ? body->number : 0);
}

ZEND_METHOD(Stampede_Http_Body, next) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    BodyObject* body = usable(ZEND_THIS);
    if (body != nullptr) {
        body->number++;
        advance(*body);
    }
}

namespace stampede::classes {

zend_result http_body_minit(int, int) {
    zend_class_entry* ce = register_class_Stampede_Http_Body(zend_ce_iterator);
    ce->create_object = [](zend_class_entry* made) {
        return zend::create_object<BodyObject>(made, &handlers);
    };
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<BodyObject>(handlers, free_body);
    handlers.get_gc = list_references;
    return SUCCESS;
}

}  // namespace stampede::classes
