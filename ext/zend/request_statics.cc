#include "zend/request_statics.h"

#include <algorithm>
#include <utility>

namespace stampede::zend {

namespace {

// Where the engine keeps the values. A class's table of static properties is made when the class is
// first used and stays until the end of the script; code that has been run keeps pointers into it.
struct Place {
    zval* value;
    zend_property_info* info;
};
std::vector<Place> installed;
size_t requests = 0;  // that have values

// What the property holds by reference is shared by all that refer to it, so a request gets the
// value alone.
void copy_value(zval& to, zval& from) { ZVAL_COPY_DEREF(&to, &from); }

}  // namespace

RequestStatics::RequestStatics() : values_(installed.size()) {
    requests++;
    for (size_t i = 0; i < values_.size(); i++) {
        copy_value(values_[i], *installed[i].value);
    }
}

RequestStatics::~RequestStatics() {
    requests--;
    for (zval& value : values_) {
        zval_ptr_dtor(&value);
    }
}

// Bit by bit, without a change of counts, like the rest of a RequestState.
void RequestStatics::swap() {
    for (size_t i = 0; i < values_.size(); i++) {
        std::swap(*installed[i].value, values_[i]);
    }
}

// The property has its new value before the old one is destroyed: a destructor may read it.
void RequestStatics::release_installed() {
    for (size_t i = 0; i < values_.size(); i++) {
        const Place& place = installed[i];
        zval old;
        ZVAL_COPY_VALUE(&old, place.value);
        copy_value(*place.value, values_[i]);
        if (Z_ISREF(old) && ZEND_TYPE_IS_SET(place.info->type)) {
            ZEND_REF_DEL_TYPE_SOURCE(Z_REF(old), place.info);
        }
        zval_ptr_dtor(&old);
    }
}

// An inherited property is its parent's value (IS_INDIRECT), which the engine's look-up finds.
StaticsAdded add_request_static(zend_string* class_name, zend_string* property) {
    zend_class_entry* ce = zend_lookup_class(class_name);
    if (ce == nullptr) {
        return StaticsAdded::kUnknown;
    }
    auto* info =
        static_cast<zend_property_info*>(zend_hash_find_ptr(&ce->properties_info, property));
    if (info == nullptr || (info->flags & ZEND_ACC_STATIC) == 0) {
        return StaticsAdded::kUnknown;
    }
    zend_class_entry* scope = std::exchange(EG(fake_scope), info->ce);
    zval* value = zend_std_get_static_property(ce, property, BP_VAR_IS);
    EG(fake_scope) = scope;
    if (value == nullptr) {
        return StaticsAdded::kUnknown;
    }
    bool known = std::any_of(installed.begin(), installed.end(),
                             [value](const Place& place) { return place.value == value; });
    if (known) {
        return StaticsAdded::kYes;
    }
    if (requests > 0) {
        return StaticsAdded::kTooLate;
    }
    installed.push_back({value, info});
    return StaticsAdded::kYes;
}

void forget_request_statics() {
    installed.clear();
    requests = 0;
}

}  // namespace stampede::zend
