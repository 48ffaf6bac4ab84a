#include "ext/server/packing.h"

extern "C" {  // this header does not say so itself
#include <ext/standard/php_var.h>
}
#include <zend_smart_str.h>

#include "zend/throw.h"

namespace stampede::classes {

PackedValue::~PackedValue() {
    if (bytes != nullptr) {
        zend_string_release(bytes);
    }
}

bool pack_value(zval* value, PackedValue& out) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_STRING) {
        out.bytes = zend_string_copy(Z_STR_P(value));
    } else {
        smart_str text = {};
        php_serialize_data_t seen;
        PHP_VAR_SERIALIZE_INIT(seen);
        php_var_serialize(&text, value, &seen);
        PHP_VAR_SERIALIZE_DESTROY(seen);
        if (zend::exception_pending()) {
            smart_str_free(&text);
            return false;
        }
        out.bytes = smart_str_extract(&text);
        out.serialized = true;
    }
    if (ZSTR_LEN(out.bytes) > kMostPacked) {
        zend::warning("the data has %zu bytes: at most %zu can be handed to another process",
                      ZSTR_LEN(out.bytes), kMostPacked);
        return false;
    }
    return true;
}

bool unpack_value(std::string_view bytes, bool serialized, zval* out) {
    if (!serialized) {
        ZVAL_STRINGL(out, bytes.data(), bytes.size());
        return true;
    }
    const auto* position = reinterpret_cast<const unsigned char*>(bytes.data());
    php_unserialize_data_t seen;
    PHP_VAR_UNSERIALIZE_INIT(seen);
    // Among the values that the deserializer keeps: references inside of the data lead to it.
    zval* value = var_tmp_var(&seen);
    bool good = php_var_unserialize(value, &position, position + bytes.size(), &seen) != 0;
    if (good) {
        ZVAL_COPY(out, value);
        if (Z_ISREF_P(out)) {
            zend_unwrap_reference(out);
        }
    } else {
        ZVAL_NULL(out);
    }
    PHP_VAR_UNSERIALIZE_DESTROY(seen);
    return good;
}

}  // namespace stampede::classes
