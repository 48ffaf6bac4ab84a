// See object_store.h.
#include "zend/object_store.h"

#include "zend_objects_API.h"

namespace stampede::zend {
namespace {

// Slot 0 is never used; a free slot holds an index with its lowest bit set.
zend_object* object_at(uint32_t handle) {
    zend_object* object = EG(objects_store).object_buckets[handle];
    return object && IS_OBJ_VALID(object) ? object : nullptr;
}

}  // namespace

// Adding to the array makes no object, so the store does not grow, and move, on the way.
void append_live_objects(zval* array) {
    for (uint32_t handle = 1; handle < EG(objects_store).top; ++handle) {
        if (zend_object* object = object_at(handle)) {
            GC_ADDREF(object);
            add_next_index_object(array, object);
        }
    }
}

void count_live_objects(zval* by_class) {
    for (uint32_t handle = 1; handle < EG(objects_store).top; ++handle) {
        if (zend_object* object = object_at(handle)) {
            zval* count = zend_hash_lookup(Z_ARRVAL_P(by_class), object->ce->name);
            ZVAL_LONG(count, Z_TYPE_P(count) == IS_LONG ? Z_LVAL_P(count) + 1 : 1);
        }
    }
}

zend_object* find_object(uint32_t handle) {
    return handle >= 1 && handle < EG(objects_store).top ? object_at(handle) : nullptr;
}

uint32_t live_object_count() {
    uint32_t count = 0;
    for (uint32_t handle = 1; handle < EG(objects_store).top; ++handle) {
        count += object_at(handle) != nullptr;
    }
    return count;
}

uint32_t live_resource_count() { return zend_hash_num_elements(&EG(regular_list)); }

}  // namespace stampede::zend
