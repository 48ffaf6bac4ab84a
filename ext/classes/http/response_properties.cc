// What PHP code sees of a Response's properties: lists of the fields, made when they are looked at.
#include "classes/http/response_carrier.h"
#include "zend/gc_roots.h"

namespace stampede::classes {

namespace {

struct ShownList {
    std::string_view name;
    ResponseSlot slot;
};

constexpr ShownList kShownLists[] = {
    {"header", kShownHeader}, {"cookie", kShownCookie}, {"trailer", kShownTrailer}};

// Null for other names, and for what the application has unset.
const ShownList* shown_list(zend_object* object, const zend_string* name) {
    for (const ShownList& list : kShownLists) {
        if (list.name == std::string_view(ZSTR_VAL(name), ZSTR_LEN(name))) {
            bool gone = response_of(object)->gone & (1u << list.slot);
            return gone ? nullptr : &list;
        }
    }
    return nullptr;
}

void show_cookies(const FieldList& fields, zval* out) {
    array_init(out);
    for (uint32_t i = 0; i < fields.count; i++) {
        ResponseField& field = fields.items[i];
        if (zend_string_equals_literal_ci(field.name, "set-cookie")) {
            Z_TRY_ADDREF(field.value);
            zend_hash_next_index_insert(Z_ARRVAL_P(out), &field.value);
        }
    }
}

// The public arrays are made from the lists whenever they are looked at.
void show(zend_object* object, const ShownList& list, zval* out) {
    ResponseObject* response = response_of(object);
    if (list.slot == kShownCookie) {
        show_cookies(response->fields, out);
    } else {
        show_fields(list.slot == kShownHeader ? response->fields : response->trailers, out);
    }
    if (zend_hash_num_elements(Z_ARRVAL_P(out)) == 0) {
        zval_ptr_dtor(out);
        ZVAL_NULL(out);
    }
}

zval* read_property(zend_object* object, zend_string* name, int type, void** cache, zval* rv) {
    if (const ShownList* list = shown_list(object, name)) {
        show(object, *list, rv);
        return rv;
    }
    return zend_std_read_property(object, name, type, cache, rv);
}

int has_property(zend_object* object, zend_string* name, int check, void** cache) {
    const ShownList* list = shown_list(object, name);
    if (list == nullptr || check == ZEND_PROPERTY_EXISTS) {
        return zend_std_has_property(object, name, check, cache);
    }
    zval shown;
    show(object, *list, &shown);
    int has = Z_TYPE(shown) != IS_NULL;  // then it is not empty either
    zval_ptr_dtor(&shown);
    return has;
}

void unset_property(zend_object* object, zend_string* name, void** cache) {
    if (const ShownList* list = shown_list(object, name)) {
        response_of(object)->gone |= 1u << list->slot;
    }
    zend_std_unset_property(object, name, cache);
}

zval* property_pointer(zend_object* object, zend_string* name, int type, void** cache) {
    if (shown_list(object, name) != nullptr) {
        return nullptr;  // changes go through header(), cookie() and trailer()
    }
    return zend_std_get_property_ptr_ptr(object, name, type, cache);
}

HashTable* properties(zend_object* object) {
    for (const ShownList& list : kShownLists) {
        if (response_of(object)->gone & (1u << list.slot)) {
            continue;
        }
        zval* target = OBJ_PROP_NUM(object, list.slot);
        zval_ptr_dtor(target);
        show(object, list, target);
    }
    return zend_std_get_properties(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    zend::GcRoots roots;
    const ResponseCarrier* carrier = response_of(object)->carrier;
    if (carrier != nullptr && carrier->socket() != nullptr) {
        roots.add(carrier->socket());
    }
    return roots.with_properties(object, table, count);
}

}  // namespace

void set_property_handlers(zend_object_handlers& handlers) {
    handlers.read_property = read_property;
    handlers.has_property = has_property;
    handlers.unset_property = unset_property;
    handlers.get_property_ptr_ptr = property_pointer;
    handlers.get_properties = properties;
    handlers.get_gc = list_references;
}

}  // namespace stampede::classes
