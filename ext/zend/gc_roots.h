// The get_gc handler of classes whose C++ state owns PHP values. The cycle collector must be shown
// every reference that free_obj gives back: what it is not shown keeps a cycle alive for ever, and
// what it is shown without being owned is freed too early. The collector calls get_gc in the middle
// of its marking, so a handler must neither create nor destroy PHP values: the properties are shown
// as the object has them, and get_properties is never asked (for classes that build properties on
// demand it would make arrays that nobody frees). State of the engine, PHP thread, never parks.
#pragma once

#include "zend/call.h"
#include "zend/php.h"

namespace stampede::zend {

class GcRoots {
public:
    // One buffer for the whole engine, filled and used within one call of get_gc: nothing in
    // between may start another.
    GcRoots() : buffer_(zend_get_gc_buffer_create()) {}

    void add(zval* value) { zend_get_gc_buffer_add_zval(buffer_, value); }
    void add(zend_object* object) {
        if (object != nullptr) {
            zend_get_gc_buffer_add_obj(buffer_, object);
        }
    }
    void add(Callable& callable) {
        if (callable) {
            add(&callable.fci.function_name);
            add(callable.fcc.object);  // hold() owns it apart from the array that names it
        }
    }

    // The result of the handler: what was added, and the object's own properties.
    HashTable* with_properties(zend_object* object, zval** table, int* count) {
        if (object->properties == nullptr) {
            for (int i = 0; i < object->ce->default_properties_count; i++) {
                add(OBJ_PROP_NUM(object, i));
            }
        } else {
            separate(object);
        }
        zend_get_gc_buffer_use(buffer_, table, count);
        return object->properties;
    }

private:
    // A table that an array copy of the object shares has other owners: the collector must not
    // count it as the object's alone. The engine's own handler does the same.
    static void separate(zend_object* object) {
        HashTable* table = object->properties;
        if (GC_REFCOUNT(table) > 1 && (GC_FLAGS(table) & GC_IMMUTABLE) == 0) {
            GC_DELREF(table);
            object->properties = zend_array_dup(table);
        }
    }

    zend_get_gc_buffer* buffer_;
};

// For classes that own nothing beside their properties but have a get_properties handler.
inline HashTable* properties_for_gc(zend_object* object, zval** table, int* count) {
    return GcRoots().with_properties(object, table, count);
}

}  // namespace stampede::zend
