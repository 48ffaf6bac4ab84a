#include "zend/lasting_state.h"

#include <vector>

#include "zend/php.h"
#include "zend/process_state.h"
#include "zend/web_request.h"

#include "SAPI.h"
#include "zend_exceptions.h"
#include "zend_objects_API.h"

namespace stampede::zend {

namespace {

// Written once, before the memory is kept: part of the image as everything else.
struct LastingState {
    std::vector<const zend_object*> objects;  // by handle
    zend_ulong next_resource = 0;
    uint32_t persistent = 0;  // used slots of the list
};

LastingState lasting;

bool is_lasting(uint32_t handle, const zend_object* object) {
    return handle < lasting.objects.size() && lasting.objects[handle] == object;
}

bool has_destructor(const zend_object* object) {
    return object->handlers->dtor_obj != zend_objects_destroy_object ||
           object->ce->destructor != nullptr;
}

// As the engine does at the end of a script, but without a mark on each of the objects that have
// nothing to do: the marks alone would write to every page with an object.
void call_destructors() {
    zend_objects_store& store = EG(objects_store);
    for (uint32_t handle = 1; handle < store.top; handle++) {
        zend_object* object = store.object_buckets[handle];
        if (!IS_OBJ_VALID(object) || (OBJ_FLAGS(object) & IS_OBJ_DESTRUCTOR_CALLED) != 0 ||
            !has_destructor(object)) {
            continue;
        }
        GC_ADD_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED);
        GC_ADDREF(object);
        object->handlers->dtor_obj(object);
        GC_DELREF(object);
    }
}

void close_new_resources() {
    HashTable& list = EG(regular_list);
    for (uint32_t i = list.nNumUsed; i > 0; i--) {
        Bucket& entry = list.arData[i - 1];
        if (Z_TYPE(entry.val) == IS_RESOURCE && entry.h >= lasting.next_resource) {
            zend_list_close(Z_RES(entry.val));
        }
    }
    HashTable& persistent = EG(persistent_list);
    for (uint32_t i = persistent.nNumUsed; i > lasting.persistent; i--) {
        Bucket& entry = persistent.arData[i - 1];
        if (Z_TYPE(entry.val) != IS_UNDEF) {
            zend_hash_del_bucket(&persistent, &entry);
        }
    }
}

// Connections of database drivers say goodbye here, writers write their rest.
void free_contents_of_new_objects() {
    zend_objects_store& store = EG(objects_store);
    for (uint32_t handle = 1; handle < store.top; handle++) {
        zend_object* object = store.object_buckets[handle];
        if (!IS_OBJ_VALID(object) || is_lasting(handle, object) ||
            (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) != 0 ||
            object->handlers->free_obj == zend_object_std_dtor) {
            continue;
        }
        GC_ADD_FLAGS(object, IS_OBJ_FREE_CALLED);
        GC_ADDREF(object);
        object->handlers->free_obj(object);
    }
}

// False when an exception is pending that is no exit().
bool report_exception() {
    zend_object* exception = EG(exception);
    if (exception == nullptr) {
        return true;
    }
    bool is_exit = zend_is_unwind_exit(exception);
    GC_ADDREF(exception);
    zend_clear_exception();
    if (is_exit) {
        OBJ_RELEASE(exception);
    } else {
        zend_exception_error(exception, E_WARNING);
    }
    return is_exit;
}

}  // namespace

void note_lasting_state() {
    zend_objects_store& store = EG(objects_store);
    lasting.objects.assign(store.object_buckets, store.object_buckets + store.top);
    lasting.next_resource = static_cast<zend_ulong>(EG(regular_list).nNextFreeElement);
    lasting.persistent = EG(persistent_list).nNumUsed;
}

void begin_request_above_lasting_state() {
    reseed();
    SG(global_request_time) = 0;
}

bool end_request_above_lasting_state() {
    bool is_clean = false;
    zend_try {
        run_shutdown_functions();
        is_clean = report_exception();
        call_destructors();
        is_clean = report_exception() && is_clean;
        php_output_end_all();
        close_new_resources();
        free_contents_of_new_objects();
        is_clean = report_exception() && is_clean;
    }
    zend_catch { is_clean = false; }
    zend_end_try();
    return is_clean;
}

}  // namespace stampede::zend
