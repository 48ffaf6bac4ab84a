#include "hooks/policy.h"

#include <dlfcn.h>

#include <string_view>

#include "ini.h"

namespace stampede::hooks {

namespace {

constexpr const char* kBelow = "the C library and what lies below it: it is what we call";
constexpr const char* kWatches = "watches or replaces the process's memory and calls";
constexpr const char* kOurs = "we wait around its calls ourselves";
constexpr const char* kLocks = "holds locks of the process while it calls";
constexpr const char* kCompiles =
    "keeps locks in memory shared with other processes while it reads";

enum : uint32_t {
    kCurl = 2048 | 4096,
    kSocketFunctions = 16384,
    kPgsql = 65536,
    kOdbc = 131072,
    kOracle = 262144,
    kSqlite = 524288,
    kFirebird = 1048576,
    kMongo = 4194304 | 2,
};

struct Row {
    std::string_view start;
    Policy policy;
};

// The first row whose text the file's name starts with. For each row a call of the object must be
// able to switch: no lock that another coroutine of this thread could want, no state of the process
// in the middle of a change, no thread-local that the library relies on across the call. Where that
// is not known of a library, sleeps and entry points are what is left; where it is known not to
// hold, nothing.
constexpr Row kRows[] = {
    {"ld-", {Share::kNone, 0, kBelow}},
    {"linux-vdso", {Share::kNone, 0, kBelow}},
    {"libc.so", {Share::kNone, 0, kBelow}},
    {"libc-", {Share::kNone, 0, kBelow}},
    {"libc.musl", {Share::kNone, 0, kBelow}},
    {"libpthread", {Share::kNone, 0, kBelow}},
    {"libdl.", {Share::kNone, 0, kBelow}},
    {"libm.so", {Share::kNone, 0, kBelow}},
    {"libm-", {Share::kNone, 0, kBelow}},
    {"librt.", {Share::kNone, 0, kBelow}},
    {"librt-", {Share::kNone, 0, kBelow}},
    {"libresolv", {Share::kNone, 0, kBelow}},
    {"libnss_", {Share::kNone, 0, kBelow}},
    {"libanl", {Share::kNone, 0, kBelow}},
    {"libutil.", {Share::kNone, 0, kBelow}},
    {"libgcc_s", {Share::kNone, 0, kBelow}},
    {"libstdc++", {Share::kNone, 0, kBelow}},
    {"libc++", {Share::kNone, 0, kBelow}},
    {"libjemalloc", {Share::kNone, 0, kWatches}},
    {"libtcmalloc", {Share::kNone, 0, kWatches}},
    {"libmimalloc", {Share::kNone, 0, kWatches}},
    {"libasan", {Share::kNone, 0, kWatches}},
    {"libubsan", {Share::kNone, 0, kWatches}},
    {"libtsan", {Share::kNone, 0, kWatches}},
    {"liblsan", {Share::kNone, 0, kWatches}},
    {"vgpreload", {Share::kNone, 0, kWatches}},
    {"libfaketime", {Share::kNone, 0, kWatches}},
    {"xdebug", {Share::kNone, 0, kWatches}},
    {"without_deepbind", {Share::kNone, 0, kWatches}},
    {"stampede", {Share::kNone, 0, kOurs}},
    {"libcares", {Share::kNone, 0, kOurs}},
    {"liburing", {Share::kNone, 0, kOurs}},
    {"libnghttp2", {Share::kNone, 0, kOurs}},
    {"libssl", {Share::kNone, 0, kOurs}},
    {"libcrypto", {Share::kNone, 0, kLocks}},
    {"libz.so", {Share::kNone, 0, kOurs}},
    {"libbrotli", {Share::kNone, 0, kOurs}},
    {"libzstd", {Share::kNone, 0, kOurs}},
    {"libsystemd", {Share::kNone, 0, kLocks}},
    {"libdbus", {Share::kNone, 0, kLocks}},
    {"libudev", {Share::kNone, 0, kLocks}},
    {"opcache", {Share::kNone, 0, kCompiles}},
    {"curl.so", {Share::kAll, kCurl, "curl"}},
    {"libcurl", {Share::kCalls, kCurl, "curl"}},
    {"sockets.so", {Share::kAll, kSocketFunctions, "ext-sockets"}},
    {"pgsql.so", {Share::kAll, kPgsql, "PostgreSQL"}},
    {"pdo_pgsql.so", {Share::kAll, kPgsql, "PostgreSQL"}},
    {"libpq.", {Share::kCalls, kPgsql, "PostgreSQL"}},
    {"odbc.so", {Share::kCalls, kOdbc, "ODBC"}},
    {"pdo_odbc.so", {Share::kCalls, kOdbc, "ODBC"}},
    {"libodbc", {Share::kCalls, kOdbc, "ODBC"}},
    {"libmaodbc", {Share::kCalls, kOdbc, "ODBC"}},
    {"libmyodbc", {Share::kCalls, kOdbc, "ODBC"}},
    {"psqlodbc", {Share::kCalls, kOdbc, "ODBC"}},
    {"libtdsodbc", {Share::kCalls, kOdbc, "ODBC"}},
    {"oci8.so", {Share::kCalls, kOracle, "Oracle"}},
    {"pdo_oci.so", {Share::kCalls, kOracle, "Oracle"}},
    {"libclntsh", {Share::kCalls, kOracle, "Oracle"}},
    {"sqlite3.so", {Share::kEntries, kSqlite, "SQLite"}},
    {"pdo_sqlite.so", {Share::kEntries, kSqlite, "SQLite"}},
    {"libsqlite3", {Share::kSleeps, kSqlite, "SQLite"}},
    {"pdo_firebird.so", {Share::kCalls, kFirebird, "Firebird"}},
    {"libfbclient", {Share::kCalls, kFirebird, "Firebird"}},
    {"mongodb.so", {Share::kCalls, kMongo, "MongoDB"}},
    {"libmongoc", {Share::kCalls, kMongo, "MongoDB"}},
};

std::string_view name_of(const char* path) {
    std::string_view name = path;
    return name.substr(name.rfind('/') + 1);  // npos + 1 is 0
}

// A list of starts of names, with commas or blanks between them.
bool is_listed(const char* list, std::string_view name) {
    std::string_view rest = list != nullptr ? list : "";
    while (!rest.empty()) {
        size_t end = rest.find_first_of(", ");
        std::string_view start = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (!start.empty() && name.starts_with(start)) {
            return true;
        }
    }
    return false;
}

// PHP looks an extension up by this symbol, so each has it. A library that an extension is linked
// with is none, although dlsym() on it may find get_module in what it needs in turn.
bool is_extension(const char* path) {
    void* object = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr) {
        return false;
    }
    // dlsym() looks into what the object needs, too.
    void* entry = ::dlsym(object, "get_module");
    Dl_info where{};
    bool own = entry != nullptr && ::dladdr(entry, &where) != 0 &&
               name_of(where.dli_fname) == name_of(path);
    ::dlclose(object);
    return own;
}

}  // namespace

Policy policy_of(const char* path) {
    if (*path == 0) {
        return {Share::kAll, 0, "the PHP program"};
    }
    std::string_view name = name_of(path);
    if (is_listed(ext::settings().hook_exclude, name)) {
        return {Share::kNone, 0, "stampede.hook_exclude"};
    }
    if (is_listed(ext::settings().hook_include, name)) {
        return {Share::kAll, 0, "stampede.hook_include"};
    }
    for (const Row& row : kRows) {
        if (name.starts_with(row.start)) {
            return row.policy;
        }
    }
    return is_extension(path) ? Policy{Share::kAll, 0, "an extension"}
                              : Policy{Share::kCalls, 0, "a library"};
}

}  // namespace stampede::hooks
