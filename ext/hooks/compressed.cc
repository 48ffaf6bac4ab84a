// Files that zlib reads and writes by itself (gzopen(), compress.zlib://). Its calls on the disk
// are in place; what takes the time is the coding, so a call is made in pieces, and others get
// their turn between them.
#include <zlib.h>

#include <algorithm>
#include <vector>

#include "hooks/connection_use.h"
#include "hooks/fairness.h"
#include "hooks/files.h"
#include "hooks/hooks.h"

namespace stampede::hooks {

namespace {

using runtime::Fiber;
using runtime::Runtime;

constexpr unsigned kCodedAtOnce = 128 * 1024;

struct Library {
    int (*read)(gzFile, void*, unsigned);
    int (*write)(gzFile, const void*, unsigned);
    int (*close)(gzFile);
};

Library zlib;

// A coroutine that has made room in the middle of its call. By number: a fatal error meanwhile
// leaves the entry here.
struct Use {
    gzFile file;
    int64_t cid;
    bool operator==(const Use&) const = default;
};
std::vector<Use> uses;

void make_room_in(gzFile file, int count) {
    fairness::moved += static_cast<size_t>(std::max(count, 0)) + fairness::kPerCall;
    if (fairness::moved < fairness::kBytesPerLook) {
        return;
    }
    Use use{file, Runtime::get().current_cid()};
    uses.push_back(use);
    fairness::look();
    std::erase(uses, use);
}

// The bytes that were moved, or what the library says when there were none.
template <typename Bytes, typename Code>
int in_pieces(gzFile file, Bytes* data, unsigned size, Code code) {
    unsigned done = 0;
    for (;;) {
        unsigned piece = std::min(size - done, kCodedAtOnce);
        int count = code(file, data + done, piece);
        if (count <= 0) {
            return done > 0 ? static_cast<int>(done) : count;
        }
        done += static_cast<unsigned>(count);
        make_room_in(file, count);
        if (done == size || static_cast<unsigned>(count) < piece) {
            return static_cast<int>(done);
        }
    }
}

int hooked_gzread(gzFile file, void* data, unsigned size) {
    return may_wait_for_files() ? in_pieces(file, static_cast<char*>(data), size, zlib.read)
                                : zlib.read(file, data, size);
}

int hooked_gzwrite(gzFile file, const void* data, unsigned size) {
    return may_wait_for_files() ? in_pieces(file, static_cast<const char*>(data), size, zlib.write)
                                : zlib.write(file, data, size);
}

// Those that are in the middle of a call on the file leave it first.
int hooked_gzclose(gzFile file) {
    auto is_here = [file](const Use& use) { return use.file == file; };
    Runtime* runtime = on_php_thread() ? Runtime::peek() : nullptr;
    for (auto use = std::find_if(uses.begin(), uses.end(), is_here);
         runtime != nullptr && use != uses.end();
         use = std::find_if(uses.begin(), uses.end(), is_here)) {
        Fiber* fiber = runtime->find(use->cid);
        uses.erase(use);
        if (fiber != nullptr) {
            let_leave(*fiber);
        }
    }
    return zlib.close(file);
}

}  // namespace

const Redirect kCompressedRedirects[] = {
    redirect_entry<hooked_gzread>("gzread", zlib.read),
    redirect_entry<hooked_gzwrite>("gzwrite", zlib.write),
    redirect_entry<hooked_gzclose>("gzclose", zlib.close),
};
const size_t kCompressedRedirectCount =
    sizeof(kCompressedRedirects) / sizeof(kCompressedRedirects[0]);

}  // namespace stampede::hooks
