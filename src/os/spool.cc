#include "os/spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "os/fd.h"
#include "os/file.h"

namespace stampede::os {

namespace {

std::string path_of(const std::string& folder, const std::string& name) {
    return folder + "/" + name;
}

}  // namespace

Result<std::string> write_spooled(const std::string& folder, const std::string& prefix,
                                  std::initializer_list<std::string_view> parts, uid_t reader) {
    std::string path = path_of(folder, prefix + ".XXXXXX");
    Fd file(make_temporary(path.data()));
    if (!file) {
        return Error::last_errno();
    }
    bool good = reader == ::geteuid() || ::fchown(file.get(), reader, static_cast<gid_t>(-1)) == 0;
    for (std::string_view part : parts) {
        good = good && write_all(file.get(), part);
    }
    if (!good) {
        Error error = Error::last_errno();
        remove_path(path.c_str());
        return error;
    }
    return path.substr(folder.size() + 1);
}

Result<std::string> take_spooled(const std::string& folder, const std::string& name, uid_t owner,
                                 size_t most) {
    if (name.find('/') != std::string::npos) {
        return Error::system(EINVAL);
    }
    std::string path = path_of(folder, name);
    Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts;
    if (!file || ::fstat(file.get(), &facts) != 0) {
        return Error::last_errno();
    }
    if (!S_ISREG(facts.st_mode) || (facts.st_uid != owner && facts.st_uid != 0)) {
        return Error::system(EPERM);
    }
    remove_path(path.c_str());
    if (facts.st_size > static_cast<off_t>(most)) {
        return Error::system(EFBIG);
    }
    std::string bytes(static_cast<size_t>(facts.st_size), '\0');
    size_t filled = 0;
    while (filled < bytes.size()) {
        long count = read_some(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (count <= 0) {
            return count < 0 ? Error::last_errno() : Error::system(EIO);
        }
        filled += static_cast<size_t>(count);
    }
    return bytes;
}

void remove_spooled(const std::string& folder, const std::string& name) {
    remove_path(path_of(folder, name).c_str());
}

void clear_spool(const std::string& folder, const std::string& prefix) {
    DIR* open = ::opendir(folder.c_str());
    if (open == nullptr) {
        return;
    }
    while (const dirent* entry = ::readdir(open)) {
        std::string_view name = entry->d_name;
        if (name.size() == prefix.size() + 7 && name.starts_with(prefix) &&
            name[prefix.size()] == '.') {
            (void)::unlinkat(::dirfd(open), entry->d_name, 0);
        }
    }
    ::closedir(open);
}

}  // namespace stampede::os
