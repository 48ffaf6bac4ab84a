// C++ state embedded in PHP objects: the engine's object comes last, as it wants, and conversion
// both ways. `struct Thing { ...; zend_object std; };` The object store owns it, PHP thread.
#pragma once

#include <new>

#include "zend/php.h"

namespace stampede::zend {

//   [ members of T ... | zend_object std | property table, as long as the class has properties ]
//   ^ allocated                ^ what the engine has a pointer to
//
// `std` is last because the engine lets the properties follow it. handlers.offset tells the engine
// where the allocation begins; with another one it would free an address in the middle. free_obj
// calls the destructor of T: the engine knows nothing of it.
template <typename T>
inline T& from_object(zend_object* object) {
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(object) - offsetof(T, std));
}

template <typename T>
inline T& from_this(zval* value) {
    return from_object<T>(Z_OBJ_P(value));
}

// create_object handler: zeroed memory, T's constructor, the class's properties.
template <typename T>
zend_object* create_object(zend_class_entry* ce, const zend_object_handlers* handlers) {
    auto* self = new (zend_object_alloc(sizeof(T), ce)) T;
    zend_object_std_init(&self->std, ce);
    object_properties_init(&self->std, ce);
    self->std.handlers = handlers;
    return &self->std;
}

// The usual handlers of such a class: the offset, no cloning, free_obj.
template <typename T>
void init_handlers(zend_object_handlers& handlers, zend_object_free_obj_t free_object) {
    handlers = std_object_handlers;
    handlers.offset = offsetof(T, std);
    handlers.free_obj = free_object;
    handlers.clone_obj = nullptr;
}

}  // namespace stampede::zend
