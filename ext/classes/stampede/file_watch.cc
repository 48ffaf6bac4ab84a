// Stampede\FileWatch.
#include "os/file_watch.h"

#include <cstring>
#include <optional>
#include <utility>

#include "subsystems.h"
#include "zend/last_error.h"
#include "zend/object.h"
#include "zend/throw.h"

#include "stubs/file_watch_arginfo.h"

namespace stampede::classes {

namespace {

constexpr uint32_t kFdSlot = 0;  // as the stub declares it

struct Watch {
    std::optional<os::FileWatch> watch;
    zend_object std;
};

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) { return zend::create_object<Watch>(ce, &handlers); }

void free_watch(zend_object* object) {
    zend::from_object<Watch>(object).~Watch();
    zend_object_std_dtor(object);
}

// Final and internal: nobody has one whose constructor has not returned.
os::FileWatch& watch_of(zval* self) { return *zend::from_this<Watch>(self).watch; }

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Stampede_FileWatch, __construct) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Result<os::FileWatch> watch = os::FileWatch::open();
    if (!watch) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "no files can be watched: %s (see fs.inotify.max_user_instances)",
                          strerror(static_cast<int>(watch.error().code())));
        return;
    }
    auto& object = zend::from_this<Watch>(ZEND_THIS);
    object.watch.emplace(std::move(*watch));
    ZVAL_LONG(OBJ_PROP_NUM(&object.std, kFdSlot), object.watch->fd());
}

ZEND_METHOD(Stampede_FileWatch, add) {
    char* folder;
    size_t length;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_PATH(folder, length)
    ZEND_PARSE_PARAMETERS_END();

    Result<int> number = watch_of(ZEND_THIS).add(folder);
    if (!number) {
        zend::set_last_error(static_cast<int>(number.error().code()));
        RETURN_FALSE;
    }
    RETURN_LONG(*number);
}

ZEND_METHOD(Stampede_FileWatch, remove) {
    zend_long number;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(number)
    ZEND_PARSE_PARAMETERS_END();

    watch_of(ZEND_THIS).remove(static_cast<int>(number));
}

ZEND_METHOD(Stampede_FileWatch, read) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    std::vector<os::FileChange> changes;
    (void)watch_of(ZEND_THIS).read(changes);
    array_init_size(return_value, static_cast<uint32_t>(changes.size()));
    for (const os::FileChange& change : changes) {
        zval entry;
        array_init_size(&entry, 3);
        add_next_index_long(&entry, change.watch);
        add_next_index_long(&entry, change.what);
        add_next_index_stringl(&entry, change.name.data(), change.name.size());
        add_next_index_zval(return_value, &entry);
    }
}

ZEND_METHOD(Stampede_FileWatch, tells) {
    char* folder;
    size_t length;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_PATH(folder, length)
    ZEND_PARSE_PARAMETERS_END();

    RETURN_BOOL(os::tells_changes(folder));
}

namespace stampede::ext {

zend_result file_watch_minit(int, int) {
    zend_class_entry* ce = register_class_Stampede_FileWatch();
    ce->create_object = create;
    zend::init_handlers<Watch>(handlers, free_watch);
    return SUCCESS;
}

}  // namespace stampede::ext
