// libsqlite3 as the PHP program and its extensions have loaded it: where the functions are that
// they import, and those that we need besides. Nothing is linked with it. PHP thread; never parks.
#pragma once

#include <cstdint>

namespace stampede::hooks::sqlite {

// What its interface calls sqlite3, sqlite3_stmt, sqlite3_blob and sqlite3_backup.
struct Database;
struct Statement;
struct Blob;
struct Copying;

enum Status : int {
    kOk = 0,
    kDenied = 1,  // what an authorizer returns
    kBusy = 5,
    kInterrupted = 9,
    kRow = 100,
    kDone = 101,
};

inline constexpr int kNull = 5;  // the kind of a value

using Authorizer = int (*)(void*, int, const char*, const char*, const char*, const char*);
using RowCallback = int (*)(void*, int, char**, char**);
using Destructor = void (*)(void*);
using FunctionCallback = void (*)(void*, int, void**);
using EndCallback = void (*)(void*);
using Comparison = int (*)(void*, int, const void*, int, const void*);

// Null: no loaded object imports it.
// Addresses as the first user imports them: calls of ours through these never meet our own
// stand-ins.
struct Library {
    // Imported by others.
    int (*open_v2)(const char*, Database**, int, const char*);
    int (*close)(Database*);
    int (*close_v2)(Database*);
    int (*exec)(Database*, const char*, RowCallback, void*, char**);
    int (*prepare_v2)(Database*, const char*, int, Statement**, const char**);
    int (*step)(Statement*);
    int (*reset)(Statement*);
    int (*finalize)(Statement*);
    Copying* (*backup_init)(Database*, const char*, Database*, const char*);
    int (*backup_step)(Copying*, int);
    int (*backup_finish)(Copying*);
    int (*blob_open)(Database*, const char*, const char*, const char*, int64_t, int, Blob**);
    int (*blob_read)(Blob*, void*, int, int);
    int (*blob_write)(Blob*, const void*, int, int);
    int (*blob_close)(Blob*);
    int (*set_authorizer)(Database*, Authorizer, void*);
    int (*create_function)(Database*, const char*, int, int, void*, FunctionCallback,
                           FunctionCallback, EndCallback);
    int (*create_collation)(Database*, const char*, int, void*, Comparison);
    int (*create_function_v2)(Database*, const char*, int, int, void*, FunctionCallback,
                              FunctionCallback, EndCallback, Destructor);
    int (*create_window_function)(Database*, const char*, int, int, void*, FunctionCallback,
                                  EndCallback, EndCallback, FunctionCallback, Destructor);
    int (*create_collation_v2)(Database*, const char*, int, void*, Comparison, Destructor);
    int (*collation_needed)(Database*, void*, void*);
    int (*create_module)(Database*, const char*, const void*, void*);
    int (*create_module_v2)(Database*, const char*, const void*, void*, Destructor);
    int (*busy_handler)(Database*, void*, void*);
    int (*trace_v2)(Database*, unsigned, void*, void*);
    void* (*commit_hook)(Database*, void*, void*);
    void* (*rollback_hook)(Database*, void*, void*);
    void* (*update_hook)(Database*, void*, void*);
    void* (*wal_hook)(Database*, void*, void*);
    int (*bind_blob)(Statement*, int, const void*, int, Destructor);
    int (*bind_text)(Statement*, int, const char*, int, Destructor);
    int (*bind_double)(Statement*, int, double);
    int (*bind_int64)(Statement*, int, int64_t);
    int (*bind_null)(Statement*, int);
    int (*clear_bindings)(Statement*);
    const void* (*column_blob)(Statement*, int);
    int (*column_bytes)(Statement*, int);
    int (*column_count)(Statement*);
    const char* (*column_decltype)(Statement*, int);
    double (*column_double)(Statement*, int);
    int64_t (*column_int64)(Statement*, int);
    const char* (*column_name)(Statement*, int);
    const char* (*column_table_name)(Statement*, int);
    const unsigned char* (*column_text)(Statement*, int);
    int (*column_type)(Statement*, int);
    int (*data_count)(Statement*);
    char* (*expanded_sql)(Statement*);
    int (*changes)(Database*);
    int64_t (*last_insert_rowid)(Database*);
    int (*busy_timeout)(Database*, int);
    int (*enable_load_extension)(Database*, int);
    int (*load_extension)(Database*, const char*, const char*, char**);
    int (*extended_result_codes)(Database*, int);
    int (*errcode)(Database*);
    int (*extended_errcode)(Database*);
    const char* (*errmsg)(Database*);

    // Found in the library by us.
    int (*threadsafe)();
    void (*interrupt)(Database*);
    Database* (*db_handle)(Statement*);
    void (*progress_handler)(Database*, int, int (*)(void*), void*);
    int (*stmt_busy)(Statement*);
    int (*stmt_readonly)(Statement*);
    int (*bind_parameter_count)(Statement*);
    int (*get_autocommit)(Database*);
    const char* (*sql)(Statement*);
    int (*table_column_metadata)(Database*, const char*, const char*, const char*, const char**,
                                 const char**, int*, int*, int*);
    char* (*mprintf)(const char*, ...);
};

extern Library library;

// Whether its calls may be made on other threads: it is there, complete and built for it.
bool is_usable();

}  // namespace stampede::hooks::sqlite
