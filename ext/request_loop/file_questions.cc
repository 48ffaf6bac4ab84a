#include "request_loop/file_questions.h"

#include <memory>
#include <optional>
#include <string_view>

#include "os/known_paths.h"
#include "os/path_changes.h"
#include "zend/php.h"
#include "zend/wrapped_function.h"

#include "ext/standard/file.h"

namespace stampede::request_loop {
namespace {

using Kind = os::KnownPaths::Kind;

std::optional<os::PathChanges> changes;
std::unique_ptr<os::KnownPaths> paths;

// A path of the file system that PHP itself would ask about: no script has put a wrapper of its own
// in that place, and nothing is forbidden.
bool is_plain() {
    if (PG(open_basedir) != nullptr && *PG(open_basedir) != '\0') {
        return false;
    }
    return FG(stream_wrappers) == nullptr ||
           zend_hash_str_find_ptr(FG(stream_wrappers), ZEND_STRL("file")) ==
               &php_plain_files_wrapper;
}

std::optional<std::string_view> path_argument(zend_execute_data* execute_data) {
    if (ZEND_NUM_ARGS() != 1 || Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) != IS_STRING ||
        !is_plain()) {
        return std::nullopt;
    }
    const zend_string* path = Z_STR_P(ZEND_CALL_ARG(execute_data, 1));
    return std::string_view(ZSTR_VAL(path), ZSTR_LEN(path));
}

std::optional<Kind> kind_of_argument(zend_execute_data* execute_data) {
    std::optional<std::string_view> path = path_argument(execute_data);
    return path ? paths->kind_of(*path) : std::nullopt;
}

void exists(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    if (std::optional<Kind> kind = kind_of_argument(execute_data)) {
        RETURN_BOOL(*kind != Kind::kMissing);
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

template <Kind kWanted>
void is_kind(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    if (std::optional<Kind> kind = kind_of_argument(execute_data)) {
        RETURN_BOOL(*kind == kWanted);
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// False for what is not there, with which these functions cost most. The rest is PHP's: it knows
// where paths that are there lead, and whether a file may be read also depends on what was done to
// it by another name, of which the kernel does not tell.
void unless_missing(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    std::optional<std::string_view> path = path_argument(execute_data);
    if (path && paths->was_missing(*path) && paths->kind_of(*path) == Kind::kMissing) {
        RETURN_FALSE;
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (path && Z_TYPE_P(return_value) == IS_FALSE) {
        (void)paths->kind_of(*path);  // for the next time
    }
}

// PHP takes dots and the last slash for itself.
bool is_simple(std::string_view path) {
    constexpr size_t kNowhere = std::string_view::npos;
    return path.find("/.") == kNowhere && path.find("//") == kNowhere && !path.ends_with('/');
}

void real_path(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    std::optional<std::string_view> path = path_argument(execute_data);
    if (path && is_simple(*path)) {
        unless_missing(usual, INTERNAL_FUNCTION_PARAM_PASSTHRU);
    } else {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
}

}  // namespace

void share_path_changes() {
    if (Result<os::PathChanges> made = os::PathChanges::create()) {
        changes.emplace(std::move(*made));
    }
}

void remember_paths() {
    if (!changes) {
        return;
    }
    paths = std::make_unique<os::KnownPaths>(*changes);
    HashTable* functions = CG(function_table);
    zend::WrappedFunction<exists>::wrap(functions, "file_exists");
    zend::WrappedFunction<is_kind<Kind::kFile>>::wrap(functions, "is_file");
    zend::WrappedFunction<is_kind<Kind::kFolder>>::wrap(functions, "is_dir");
    zend::WrappedFunction<unless_missing>::wrap(functions, "is_readable");
    zend::WrappedFunction<real_path>::wrap(functions, "realpath");
}

}  // namespace stampede::request_loop
