#include "classes/websocket/frame.h"

#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/view.h"

#include "stubs/websocket_frame_arginfo.h"

namespace stampede::classes {

using proto::ws::FrameHeader;
using proto::ws::ReadEvent;
using proto::ws::Role;

zend_class_entry* websocket_frame_class;
zend_class_entry* websocket_close_frame_class;

namespace {

// Declaration order of the classes. CloseFrame declares opcode anew, which keeps its place.
enum Slot : uint32_t { kFd, kData, kOpcode, kFlags, kFinish, kCode, kReason };

using zend::view;

zval* property(zend_object* object, Slot slot) {
    zval* value = OBJ_PROP_NUM(object, slot);
    ZVAL_DEREF(value);
    return value;
}

void put_long(zend_object* object, Slot slot, zend_long number) {
    ZVAL_LONG(OBJ_PROP_NUM(object, slot), number);
}

void put_text(zend_object* object, Slot slot, std::string_view text) {
    ZVAL_STRINGL_FAST(OBJ_PROP_NUM(object, slot), text.data(), text.size());
}

void make_object(uint8_t opcode, zend_long fd, zval* out) {
    bool close = opcode == proto::ws::kClose;
    object_init_ex(out, close ? websocket_close_frame_class : websocket_frame_class);
    put_long(Z_OBJ_P(out), kFd, fd);
    put_long(Z_OBJ_P(out), kOpcode, opcode);
    ZVAL_TRUE(OBJ_PROP_NUM(Z_OBJ_P(out), kFinish));
}

// A frame's data in its property `data`, of a close frame in `reason`.
void read_object(zend_object* object, OutFrame& out) {
    out.opcode = zval_get_long(property(object, kOpcode));
    out.flags = zval_get_long(property(object, kFlags));
    zval* finish = property(object, kFinish);
    if (Z_TYPE_P(finish) == IS_FALSE) {
        out.flags &= ~zend_long{kFlagFin};
    }
    bool close = out.opcode == proto::ws::kClose &&
                 instanceof_function(object->ce, websocket_close_frame_class);
    if (close) {
        out.close_code = static_cast<uint16_t>(zval_get_long(property(object, kCode)));
    }
    out.data = zval_get_string(property(object, close ? kReason : kData));
}

}  // namespace

void make_frame(const ReadEvent& event, zend_long fd, zval* out) {
    make_object(event.opcode, fd, out);
    zend_object* object = Z_OBJ_P(out);
    if (event.kind == ReadEvent::Kind::kClose) {
        put_long(object, kCode, event.code);
        put_text(object, kReason, event.payload);
    } else {
        put_text(object, kData, event.payload);
        put_long(object, kFlags,
                 event.compressed ? kFlagFin | kFlagCompress | kFlagRsv1 : kFlagFin);
    }
}

bool read_frame(zval* given, zend_long opcode, zend_long flags, OutFrame& out) {
    ZVAL_DEREF(given);
    if (Z_TYPE_P(given) == IS_OBJECT &&
        instanceof_function(Z_OBJCE_P(given), websocket_frame_class)) {
        read_object(Z_OBJ_P(given), out);
    } else {
        out.opcode = opcode;
        out.flags = flags;
        out.data = zval_get_string(given);
    }
    if (out.opcode == proto::ws::kClose && out.close_code == 0) {
        out.close_code = proto::ws::kCloseNormal;
    }
    if (out.opcode < 0 || out.opcode > proto::ws::kPong ||
        (out.opcode > proto::ws::kBinary && out.opcode < proto::ws::kClose)) {
        zend::warning("the maximum value of opcode is 10, and 3 to 7 are reserved; " ZEND_LONG_FMT
                      " given",
                      out.opcode);
        out.release();
        return false;
    }
    bool control = proto::ws::is_control(static_cast<uint8_t>(out.opcode));
    if (control && out.opcode != proto::ws::kClose &&
        ZSTR_LEN(out.data) > proto::ws::kMaxControlPayload) {
        zend::warning("a control frame carries at most %zu bytes, %zu given",
                      proto::ws::kMaxControlPayload, ZSTR_LEN(out.data));
        out.release();
        return false;
    }
    return true;
}

namespace {

// Frames of PHP code are packed here, since a function that may end the script holds no memory.
Buffer pack_buffer;

void pack(zval* given, zend_long opcode, zend_long flags, zval* return_value) {
    OutFrame frame;
    if (!read_frame(given, opcode, flags, frame)) {
        RETURN_EMPTY_STRING();
    }
    pack_buffer.clear();
    append_out_frame(pack_buffer, frame, Role::kServer, nullptr);
    frame.release();
    RETVAL_STRINGL(pack_buffer.data(), pack_buffer.size());
    pack_buffer.release();
}

zend_long flag(bool set, zend_long value) { return set ? value : 0; }

bool unpack(zend_string* bytes, zval* return_value) {
    FrameHeader header;
    auto status = proto::ws::parse_frame_header(view(bytes), header);
    if (status != proto::http::ParseStatus::kDone ||
        ZSTR_LEN(bytes) - header.size < header.length) {
        zend::set_last_error(8506);  // SWOOLE_ERROR_WEBSOCKET_UNPACK_FAILED
        return false;
    }
    auto length = static_cast<size_t>(header.length);
    zend_string* data = zend_string_init(ZSTR_VAL(bytes) + header.size, length, 0);
    if (header.masked) {
        proto::ws::apply_mask(ZSTR_VAL(data), length, header.mask, 0);
    }
    make_object(header.opcode, 0, return_value);
    zend_object* frame = Z_OBJ_P(return_value);
    if (header.opcode == proto::ws::kClose && length >= 2) {
        const auto* code = reinterpret_cast<const unsigned char*>(ZSTR_VAL(data));
        put_long(frame, kCode, code[0] << 8 | code[1]);
        put_text(frame, kReason, view(data).substr(2));
    }
    zval_ptr_dtor(OBJ_PROP_NUM(frame, kData));
    ZVAL_STR(OBJ_PROP_NUM(frame, kData), data);
    put_long(frame, kFlags,
             flag(header.fin, kFlagFin) | flag((header.rsv & 4) != 0, kFlagRsv1 | kFlagCompress) |
                 flag((header.rsv & 2) != 0, kFlagRsv2) | flag((header.rsv & 1) != 0, kFlagRsv3) |
                 flag(header.masked, kFlagMask));
    ZVAL_BOOL(OBJ_PROP_NUM(frame, kFinish), header.fin);
    return true;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_WebSocket_Frame, __toString) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    pack(ZEND_THIS, proto::ws::kText, kFlagFin, return_value);
}

ZEND_METHOD(Swoole_WebSocket_Frame, pack) {
    zval* data;
    zend_long opcode = proto::ws::kText;
    zend_long flags = kFlagFin;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(opcode)
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    pack(data, opcode, flags, return_value);
}

ZEND_METHOD(Swoole_WebSocket_Frame, unpack) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    if (!unpack(data, return_value)) {
        zend::warning("the bytes do not begin with a whole WebSocket frame");
        RETURN_FALSE;
    }
}

namespace stampede::classes {

zend_result websocket_frame_minit(int, int) {
    websocket_frame_class = register_class_Swoole_WebSocket_Frame(zend_ce_stringable);
    websocket_close_frame_class = register_class_Swoole_WebSocket_CloseFrame(websocket_frame_class);
    zend::alias_class(websocket_frame_class, "swoole_websocket_frame");
    zend::alias_class(websocket_close_frame_class, "swoole_websocket_closeframe");
    return SUCCESS;
}

}  // namespace stampede::classes
