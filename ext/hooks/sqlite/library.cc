#include "hooks/sqlite/library.h"

#include <dlfcn.h>

namespace stampede::hooks::sqlite {

Library library;

namespace {

template <typename Function>
bool find(void* object, const char* name, Function& out) {
    out = reinterpret_cast<Function>(::dlsym(object, name));
    return out != nullptr;
}

// Where the function is that others import: the library, or the program that it is part of.
void* object_of(void* function) {
    Dl_info where{};
    if (function == nullptr || ::dladdr(function, &where) == 0) {
        return nullptr;
    }
    void* object = ::dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return object != nullptr ? object : ::dlopen(nullptr, RTLD_LAZY);
}

bool find_the_rest() {
    void* object = object_of(reinterpret_cast<void*>(library.step));
    if (object == nullptr) {
        return false;
    }
    bool found = find(object, "sqlite3_threadsafe", library.threadsafe) &&
                 find(object, "sqlite3_interrupt", library.interrupt) &&
                 find(object, "sqlite3_db_handle", library.db_handle) &&
                 find(object, "sqlite3_progress_handler", library.progress_handler) &&
                 find(object, "sqlite3_stmt_busy", library.stmt_busy) &&
                 find(object, "sqlite3_stmt_readonly", library.stmt_readonly) &&
                 find(object, "sqlite3_bind_parameter_count", library.bind_parameter_count) &&
                 find(object, "sqlite3_get_autocommit", library.get_autocommit) &&
                 find(object, "sqlite3_sql", library.sql) &&
                 find(object, "sqlite3_table_column_metadata", library.table_column_metadata) &&
                 find(object, "sqlite3_mprintf", library.mprintf);
    ::dlclose(object);
    return found && library.threadsafe() != 0;
}

}  // namespace

// Asked again when the importers' library is another one (it was unloaded and loaded again). A
// library without threads, or too old for one of these functions, is called in place.
bool is_usable() {
    static void* asked_for = nullptr;
    static bool usable = false;
    auto* step = reinterpret_cast<void*>(library.step);
    if (asked_for != step) {
        asked_for = step;
        usable = find_the_rest();
    }
    return usable;
}

}  // namespace stampede::hooks::sqlite
