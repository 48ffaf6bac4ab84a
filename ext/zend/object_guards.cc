#include "zend/object_guards.h"

#include "zend/throw.h"

namespace stampede::zend {

namespace {

// An object has to be returned in any case: `new` looks for the exception afterwards and releases
// it.
zend_object* create_refused(zend_class_entry* ce) {
    zend_object* object = zend_objects_new(ce);
    object_properties_init(object, ce);
    throw_error(error_classes.error, 0,
                "There are no objects of the class %s: its methods are static.",
                ZSTR_VAL(ce->name));
    return object;
}

// Native code reads declared properties by their place in the object; an unset one would be
// undefined there. A property that a class of the script has added is the script's.
void unset_property(zend_object* object, zend_string* name, void** cache_slot) {
    auto* declared =
        static_cast<zend_property_info*>(zend_hash_find_ptr(&object->ce->properties_info, name));
    if (declared != nullptr && declared->ce->type == ZEND_INTERNAL_CLASS) {
        throw_error(error_classes.error, 0, "The property %s of the class %s cannot be unset.",
                    ZSTR_VAL(name), ZSTR_VAL(object->ce->name));
        return;
    }
    zend_std_unset_property(object, name, cache_slot);
}

zend_object_handlers guarded_handlers;

zend_object* create_guarded(zend_class_entry* ce) {
    zend_object* object = zend_objects_new(ce);
    object_properties_init(object, ce);
    object->handlers = &guarded_handlers;
    return object;
}

}  // namespace

void refuse_new(zend_class_entry* ce) { ce->create_object = create_refused; }

void refuse_unset(zend_object_handlers& handlers) { handlers.unset_property = unset_property; }

void refuse_unset(zend_class_entry* ce) {
    guarded_handlers = std_object_handlers;
    refuse_unset(guarded_handlers);
    ce->create_object = create_guarded;
}

}  // namespace stampede::zend
