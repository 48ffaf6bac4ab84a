// Swoole\Http\Request: the object and its handlers. The arrays are made in http_request_arrays.cc
// and http_upload.cc.
#include "classes/http/request.h"

#include "classes/http/body.h"
#include "classes/http/body_strings.h"
#include "classes/http/parsed_request.h"
#include "stubs/http_request_arginfo.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/throw.h"

namespace stampede::classes {

zend_class_entry* request_class;

namespace {

zend_object_handlers request_handlers;

struct LazyName {
    std::string_view name;
    RequestSlot slot;
};

constexpr LazyName kLazyNames[] = {
    {"header", kSlotHeader},     {"server", kSlotServer}, {"cookie", kSlotCookie},
    {"get", kSlotGet},           {"files", kSlotFiles},   {"post", kSlotPost},
    {"tmpfiles", kSlotTmpFiles},
};

RequestSlot slot_of(const zend_string* name) {
    std::string_view text(ZSTR_VAL(name), ZSTR_LEN(name));
    for (const LazyName& lazy : kLazyNames) {
        if (text == lazy.name) {
            return lazy.slot;
        }
    }
    return kSlotCount;
}

void build_named(zend_object* object, const zend_string* name) {
    RequestSlot slot = slot_of(name);
    if (slot != kSlotCount) {
        build_slot(*request_of(object), slot);
    }
}

void build_all(zend_object* object) {
    for (const LazyName& lazy : kLazyNames) {
        build_slot(*request_of(object), lazy.slot);
    }
}

// Everything but the properties.
RequestObject& allocate_request(zend_class_entry* ce) {
    auto* request = static_cast<RequestObject*>(zend_object_alloc(sizeof(RequestObject), ce));
    request->exchange = nullptr;
    request->parsed = nullptr;
    request->options = nullptr;
    request->built = 0;
    request->port_index = 0;
    request->arrival = {};
    zend_object_std_init(&request->std, ce);
    request->std.handlers = &request_handlers;
    return *request;
}

zend_object* create_request(zend_class_entry* ce) {
    zend_object* object = &allocate_request(ce).std;
    object_properties_init(object, ce);
    return object;
}

void free_request(zend_object* object) {
    RequestObject* request = request_of(object);
    if (request->built & (1u << kSlotTmpFiles)) {
        remove_uploads(OBJ_PROP_NUM(object, kSlotTmpFiles));
    }
    if (request->exchange != nullptr) {
        request->exchange->release();
    }
    delete request->parsed;
    zend_object_std_dtor(object);
}

zval* read_property(zend_object* object, zend_string* name, int type, void** cache, zval* rv) {
    build_named(object, name);
    return zend_std_read_property(object, name, type, cache, rv);
}

zval* property_pointer(zend_object* object, zend_string* name, int type, void** cache) {
    build_named(object, name);
    return zend_std_get_property_ptr_ptr(object, name, type, cache);
}

int has_property(zend_object* object, zend_string* name, int check, void** cache) {
    build_named(object, name);
    return zend_std_has_property(object, name, check, cache);
}

// What the application puts or removes is not built over.
zval* write_property(zend_object* object, zend_string* name, zval* value, void** cache) {
    build_named(object, name);
    return zend_std_write_property(object, name, value, cache);
}

void unset_property(zend_object* object, zend_string* name, void** cache) {
    build_named(object, name);
    zend_std_unset_property(object, name, cache);
}

HashTable* properties(zend_object* object) {
    build_all(object);
    return zend_std_get_properties(object);
}

// What the head holds so far, and with the last byte what the body holds. The arrays that an
// earlier piece filled are filled anew.
void fill_parsed(RequestObject& request) {
    if (!request.parsed->has_begun()) {
        return;
    }
    for (RequestSlot slot : {kSlotHeader, kSlotServer, kSlotCookie, kSlotGet}) {
        zval earlier;
        ZVAL_COPY_VALUE(&earlier, OBJ_PROP_NUM(&request.std, slot));
        request.built &= ~(1u << slot);
        build_slot(request, slot);
        zval_ptr_dtor(&earlier);
    }
    if (request.parsed->complete()) {
        build_slot(request, kSlotPost);
    }
}

RequestSource this_source(zval* object) { return source_of(*request_of(Z_OBJ_P(object))); }

}  // namespace

RequestSource source_of(const RequestObject& request) {
    RequestSource source;
    if (request.exchange != nullptr) {
        source.head = &request.exchange->head;
        source.base = request.exchange->head_text.bytes();
        source.body = request.exchange->body.view();
        source.body_block =
            request.exchange->body.whole() ? request.exchange->body.block() : nullptr;
    } else if (request.parsed != nullptr && request.parsed->has_begun()) {
        source.head = &request.parsed->head();
        source.base = request.parsed->bytes();
        source.body = request.parsed->body();
    }
    return source;
}

int32_t named_stream(const RequestObject* request) {
    if (request == nullptr || request->exchange != nullptr || request->parsed != nullptr) {
        return 0;
    }
    zval* stream = OBJ_PROP_NUM(const_cast<zend_object*>(&request->std), kSlotStreamId);
    ZVAL_DEREF(stream);
    return Z_TYPE_P(stream) == IS_LONG ? static_cast<int32_t>(Z_LVAL_P(stream)) : 0;
}

void build_slot(RequestObject& request, RequestSlot slot) {
    if (request.built & (1u << slot)) {
        return;
    }
    zval* out = OBJ_PROP_NUM(&request.std, slot);
    RequestSource source = source_of(request);
    bool of_body = slot == kSlotFiles || slot == kSlotPost || slot == kSlotTmpFiles;
    if (source.head == nullptr ||
        (of_body && request.parsed != nullptr && !request.parsed->complete())) {
        return;
    }
    request.built |= 1u << slot;
    ZVAL_NULL(out);
    switch (slot) {
        case kSlotHeader:
            build_header(source, *request.options, out);
            if (request.options->request_id && request.exchange != nullptr) {
                set_request_id(request, out);
            }
            break;
        case kSlotServer:
            build_server(request, source, out);
            break;
        case kSlotCookie:
            if (request.options->parse_cookie) {
                build_cookie(source, out);
            }
            break;
        case kSlotGet:
            build_query(source.text(source.head->query), out);
            break;
        default: {  // files, post, tmpfiles come together
            for (RequestSlot form : {kSlotFiles, kSlotPost, kSlotTmpFiles}) {
                request.built |= 1u << form;
                ZVAL_NULL(OBJ_PROP_NUM(&request.std, form));
            }
            build_forms(request, source);
        }
    }
}

zend_object* make_request(server::Exchange& exchange, const RequestOptions& options) {
    RequestObject& request = allocate_request(request_class);
    exchange.hold();
    request.exchange = &exchange;
    request.options = &options;
    request.port_index = exchange.connection()->port_index;
    request.arrival = server::arrival_of(*exchange.connection());
    ZVAL_LONG(OBJ_PROP_NUM(&request.std, kSlotFd), exchange.connection_id());
    ZVAL_LONG(OBJ_PROP_NUM(&request.std, kSlotStreamId), exchange.stream_id());
    for (uint32_t slot = kSlotHeader; slot < kSlotCount; slot++) {
        ZVAL_UNDEF(OBJ_PROP_NUM(&request.std, slot));
    }
    return &request.std;
}

zend_result http_request_minit(int, int) {
    request_class = register_class_Swoole_Http_Request();
    request_class->create_object = create_request;
    request_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&request_handlers, zend_get_std_object_handlers(), sizeof(request_handlers));
    request_handlers.offset = offsetof(RequestObject, std);
    request_handlers.free_obj = free_request;
    request_handlers.clone_obj = nullptr;
    request_handlers.read_property = read_property;
    request_handlers.write_property = write_property;
    request_handlers.get_property_ptr_ptr = property_pointer;
    request_handlers.has_property = has_property;
    request_handlers.unset_property = unset_property;
    request_handlers.get_properties = properties;
    request_handlers.get_gc = zend::properties_for_gc;
    zend::alias_class(request_class, "swoole_http_request");
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede::classes;

ZEND_METHOD(Swoole_Http_Request, getContent) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!collect_body(*request_of(Z_OBJ_P(ZEND_THIS)))) {
        RETURN_FALSE;
    }
    RequestSource source = this_source(ZEND_THIS);
    if (source.head == nullptr) {
        RETURN_FALSE;
    }
    if (source.body.empty()) {
        RETURN_EMPTY_STRING();  // an empty body may have no address
    }
    if (source.body_block != nullptr) {
        RETURN_STR(share_body_string(source.body_block, source.body.size()));
    }
    RETURN_STRINGL(source.body.data(), source.body.size());
}

ZEND_METHOD(Swoole_Http_Request, getData) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!collect_body(*request_of(Z_OBJ_P(ZEND_THIS)))) {
        RETURN_FALSE;
    }
    RequestSource source = this_source(ZEND_THIS);
    if (source.head == nullptr) {
        RETURN_FALSE;
    }
    const ParsedRequest* parsed = request_of(Z_OBJ_P(ZEND_THIS))->parsed;
    size_t head = parsed != nullptr ? parsed->head_size() : source.head->head_bytes;
    zend_string* data = zend_string_alloc(head + source.body.size(), 0);
    memcpy(ZSTR_VAL(data), source.base, head);
    if (!source.body.empty()) {
        memcpy(ZSTR_VAL(data) + head, source.body.data(), source.body.size());
    }
    ZSTR_VAL(data)[ZSTR_LEN(data)] = '\0';
    RETURN_STR(data);
}

ZEND_METHOD(Swoole_Http_Request, getMethod) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RequestSource source = this_source(ZEND_THIS);
    if (source.head == nullptr) {
        RETURN_FALSE;
    }
    std::string_view method = source.text(source.head->method_text);
    RETURN_STRINGL(method.data(), method.size());
}

ZEND_METHOD(Swoole_Http_Request, create) {
    HashTable* given = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(given)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* object = create_request(request_class);
    RequestObject* request = request_of(object);
    request->parsed = new ParsedRequest(given);
    request->options = &request->parsed->options();
    ZVAL_EMPTY_ARRAY(OBJ_PROP_NUM(object, kSlotHeader));
    RETURN_OBJ(object);
}

ZEND_METHOD(Swoole_Http_Request, parse) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();

    RequestObject* request = request_of(Z_OBJ_P(ZEND_THIS));
    if (request->parsed == nullptr || request->parsed->complete()) {
        RETURN_FALSE;
    }
    int64_t taken = request->parsed->take({ZSTR_VAL(data), ZSTR_LEN(data)});
    if (taken < 0) {
        RETURN_FALSE;
    }
    fill_parsed(*request);
    RETURN_LONG(taken);
}

ZEND_METHOD(Swoole_Http_Request, isCompleted) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    const RequestObject& request = *request_of(Z_OBJ_P(ZEND_THIS));
    RETURN_BOOL(request.exchange != nullptr ||
                (request.parsed != nullptr && request.parsed->complete()));
}
