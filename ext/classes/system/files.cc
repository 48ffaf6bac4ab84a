// System's whole files and the figures of file systems.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "classes/system/system.h"
#include "hooks/fairness.h"
#include "io/files.h"

namespace stampede::classes::system {

namespace {

constexpr zend_long kFileAppend = 8;  // FILE_APPEND
constexpr zend_long kLockExclusive = 2;
constexpr size_t kFirstPiece = 8192;  // of what has no size: pipes, /proc
constexpr mode_t kNewFileMode = 0644;

// A zend_string that grows while a file is read into it.
struct Content {
    zend_string* text;
    size_t length;
};

void make_room(Content& content) {
    if (content.length == ZSTR_LEN(content.text)) {
        content.text = zend_string_extend(content.text, content.length * 2, false);
    }
}

// 0 or an errno value.
int read_all(io::File& file, Content& content) {
    bool sized = file.kind() == os::FileKind::kRegular && file.size() > 0;
    for (;;) {
        size_t room = ZSTR_LEN(content.text) - content.length;
        long count =
            file.read(ZSTR_VAL(content.text) + content.length, std::min(room, hooks::kLargestPiece),
                      static_cast<int64_t>(content.length));
        if (count < 0) {
            return static_cast<int>(-count);
        }
        content.length += static_cast<size_t>(count);
        hooks::make_room_after_call(hooks::fairness::kPerCall + static_cast<size_t>(count));
        if (count == 0 || (sized && content.length == file.size())) {
            return 0;
        }
        make_room(content);
    }
}

int open_for_reading(io::File& file, const char* name, zend_long flags) {
    int error = file.open(name, O_RDONLY, 0);
    if (error != 0) {
        return -error;
    }
    if (file.kind() == os::FileKind::kDirectory) {
        return EISDIR;
    }
    return (flags & kLockExclusive) != 0 ? -file.lock(os::LockKind::kShared) : 0;
}

zend_string* read_file(io::File& file, int& error) {
    size_t size = file.kind() == os::FileKind::kRegular ? file.size() : 0;
    Content content = {zend_string_alloc(size > 0 ? size : kFirstPiece, false), 0};
    error = read_all(file, content);
    if (error != 0) {
        zend_string_efree(content.text);
        return nullptr;
    }
    if (content.length < ZSTR_LEN(content.text)) {
        content.text = zend_string_truncate(content.text, content.length, false);
    }
    ZSTR_VAL(content.text)[content.length] = '\0';
    return content.text;
}

int open_for_writing(io::File& file, const char* name, zend_long flags) {
    bool locked = (flags & kLockExclusive) != 0;
    int mode = O_WRONLY | O_CREAT;
    if ((flags & kFileAppend) != 0) {
        mode |= O_APPEND;
    } else if (!locked) {
        mode |= O_TRUNC;
    }
    int error = file.open(name, mode, kNewFileMode);
    if (error == 0 && locked) {
        error = file.lock(os::LockKind::kExclusive);
    }
    if (error == 0 && locked && (mode & O_APPEND) == 0) {
        error = file.truncate();
    }
    return -error;
}

// How much was written; less with an errno value in error.
size_t write_all(io::File& file, const zend_string* content, int& error) {
    size_t done = 0;
    error = 0;
    while (done < ZSTR_LEN(content)) {
        size_t piece = std::min(ZSTR_LEN(content) - done, hooks::kLargestPiece);
        long count = file.write(ZSTR_VAL(content) + done, piece, -1);
        if (count < 0) {
            error = static_cast<int>(-count);
            break;
        }
        done += static_cast<size_t>(count);
        hooks::make_room_after_call(hooks::fairness::kPerCall + static_cast<size_t>(count));
    }
    return done;
}

struct VolumeJob : io::ThreadJob {
    char* path;
    int status;
    os::VolumeFacts facts;
};

VolumeJob* make_volume_job(const char* path) {
    auto* job = new VolumeJob();
    job->path = strdup(path);
    job->work = [](loop::PoolJob& base) {
        auto& self = static_cast<VolumeJob&>(base);
        self.status = os::volume_facts(self.path, self.facts);
    };
    job->destroy = [](io::ThreadJob& base) {
        auto& self = static_cast<VolumeJob&>(base);
        std::free(self.path);
        delete &self;
    };
    return job;
}

void add_volume(zval* array, const os::VolumeFacts& facts) {
    auto add = [array](const char* name, uint64_t value) {
        add_assoc_long(array, name, static_cast<zend_long>(value));
    };
    array_init(array);
    add("bsize", facts.block_size);
    add("frsize", facts.fragment_size);
    add("blocks", facts.blocks);
    add("bfree", facts.free_blocks);
    add("bavail", facts.available_blocks);
    add("files", facts.files);
    add("ffree", facts.free_files);
    add("favail", facts.available_files);
    add("fsid", facts.id);
    add("flag", facts.flags);
    add("namemax", facts.longest_name);
}

// False after throwing.
bool is_named(size_t path_length) {
    if (path_length == 0) {
        zend_argument_value_error(1, "must not be empty");
    }
    return path_length > 0;
}

}  // namespace

}  // namespace stampede::classes::system

using namespace stampede;
using namespace stampede::classes::system;

ZEND_METHOD(Swoole_Coroutine_System, readFile) {
    char* name;
    size_t name_length;
    zend_long flag = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_PATH(name, name_length)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(flag)
    ZEND_PARSE_PARAMETERS_END();
    if (!is_named(name_length)) {
        RETURN_THROWS();
    }
    if (!may_wait()) {
        RETURN_FALSE;
    }
    auto* file = new io::File();
    int error = open_for_reading(*file, name, flag);
    zend_string* content = error == 0 ? read_file(*file, error) : nullptr;
    delete file;
    if (content == nullptr) {
        failed(error);
        RETURN_FALSE;
    }
    RETURN_STR(content);
}

ZEND_METHOD(Swoole_Coroutine_System, writeFile) {
    char* name;
    size_t name_length;
    zend_string* content;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_PATH(name, name_length)
        Z_PARAM_STR(content)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    if (!is_named(name_length)) {
        RETURN_THROWS();
    }
    if (!may_wait()) {
        RETURN_FALSE;
    }
    auto* file = new io::File();
    int error = open_for_writing(*file, name, flags);
    size_t written = error == 0 ? write_all(*file, content, error) : 0;
    delete file;
    if (error != 0) {
        failed(error);
        RETURN_FALSE;
    }
    RETURN_LONG(static_cast<zend_long>(written));
}

ZEND_METHOD(Swoole_Coroutine_System, statvfs) {
    char* path;
    size_t path_length;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_PATH(path, path_length)
    ZEND_PARSE_PARAMETERS_END();
    if (!is_named(path_length)) {
        RETURN_THROWS();
    }
    if (!may_wait()) {
        RETURN_FALSE;
    }
    VolumeJob* job = make_volume_job(path);
    if (!io::run_on_thread(*job)) {
        failed(ECANCELED);
        RETURN_FALSE;
    }
    int status = job->status;
    os::VolumeFacts facts = job->facts;
    job->destroy(*job);
    if (status != 0) {
        failed(-status);
        RETURN_FALSE;
    }
    add_volume(return_value, facts);
}
