#include "hooks/import_table.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bitset>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "os/log.h"

namespace stampede::hooks {

namespace {

#if defined(__x86_64__)
constexpr uint32_t kJumpSlot = R_X86_64_JUMP_SLOT;
constexpr uint32_t kGlobalData = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT;
constexpr uint32_t kGlobalData = R_AARCH64_GLOB_DAT;
#else
constexpr uint32_t kJumpSlot = UINT32_MAX;
constexpr uint32_t kGlobalData = UINT32_MAX;
#endif

struct Slot {
    void** place;
    void* before;
};

struct Patched {
    std::string path;
    ElfW(Addr) base;
    std::vector<Slot> slots;
};

std::vector<Patched>& patched_objects() {
    static std::vector<Patched> objects;
    return objects;
}

// What a loaded object says about its imports.
struct Imports {
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
    const ElfW(Rela) * tables[2] = {};
    size_t counts[2] = {};
    ElfW(Addr) relro_start = 0;
    ElfW(Addr) relro_end = 0;
};

// glibc has relocated these addresses already, others (musl) have not.
template <typename T>
const T* address_of(const dl_phdr_info& info, ElfW(Addr) value) {
    return reinterpret_cast<const T*>(value < info.dlpi_addr ? info.dlpi_addr + value : value);
}

void read_dynamic(const dl_phdr_info& info, const ElfW(Dyn) * entry, Imports& out) {
    for (; entry->d_tag != DT_NULL; entry++) {
        ElfW(Addr) value = entry->d_un.d_ptr;
        switch (entry->d_tag) {
            case DT_SYMTAB:
                out.symbols = address_of<ElfW(Sym)>(info, value);
                break;
            case DT_STRTAB:
                out.strings = address_of<char>(info, value);
                break;
            case DT_JMPREL:
                out.tables[0] = address_of<ElfW(Rela)>(info, value);
                break;
            case DT_PLTRELSZ:
                out.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
                break;
            case DT_RELA:
                out.tables[1] = address_of<ElfW(Rela)>(info, value);
                break;
            case DT_RELASZ:
                out.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
                break;
            default:
                break;
        }
    }
}

bool read_imports(const dl_phdr_info& info, Imports& out) {
    for (int i = 0; i < info.dlpi_phnum; i++) {
        const ElfW(Phdr)& header = info.dlpi_phdr[i];
        if (header.p_type == PT_DYNAMIC) {
            read_dynamic(info, reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + header.p_vaddr),
                         out);
        } else if (header.p_type == PT_GNU_RELRO) {
            out.relro_start = info.dlpi_addr + header.p_vaddr;
            out.relro_end = out.relro_start + header.p_memsz;
        }
    }
    return out.symbols != nullptr && out.strings != nullptr;
}

// Slots behind "relocation read-only" are opened for the one write.
bool write_slot(void** place, void* value, bool is_protected) {
    static const auto page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    if (!is_protected) {
        *place = value;
        return true;
    }
    auto page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(place) & ~(page_size - 1));
    if (::mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    *place = value;
    return ::mprotect(page, page_size, PROT_READ) == 0;
}

bool behind_relro(const Imports& imports, void** place) {
    auto address = reinterpret_cast<ElfW(Addr)>(place);
    return address >= imports.relro_start && address < imports.relro_end;
}

// Which names are redirected, asked for every import of every object: nearly all are told apart by
// their first two letters.
struct Job {
    const Redirect* table;
    size_t count;
    std::bitset<65536> starts;

    Job(const Redirect* redirects, size_t number) : table(redirects), count(number) {
        for (size_t i = 0; i < count; i++) {
            starts.set(start_of(table[i].name));
        }
    }
    static size_t start_of(const char* name) {
        auto* bytes = reinterpret_cast<const unsigned char*>(name);
        return bytes[0] == 0 ? 0 : bytes[0] * size_t{256} + bytes[1];
    }
    const Redirect* find(const char* name) const {
        if (!starts.test(start_of(name))) {
            return nullptr;
        }
        for (size_t i = 0; i < count; i++) {
            if (std::strcmp(table[i].name, name) == 0) {
                return &table[i];
            }
        }
        return nullptr;
    }
};

void patch_table(const dl_phdr_info& info, const Imports& imports, int which, const Job& job,
                 Patched& out) {
    const ElfW(Rela)* relocation = imports.tables[which];
    for (size_t i = 0; relocation != nullptr && i < imports.counts[which]; i++, relocation++) {
        auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocation->r_info));
        if (type != kJumpSlot && type != kGlobalData) {
            continue;
        }
        const ElfW(Sym)& symbol = imports.symbols[ELF64_R_SYM(relocation->r_info)];
        const Redirect* redirect = job.find(imports.strings + symbol.st_name);
        if (redirect == nullptr || symbol.st_shndx != SHN_UNDEF) {
            continue;
        }
        auto** place = reinterpret_cast<void**>(info.dlpi_addr + relocation->r_offset);
        void* before = *place;
        if (before == redirect->to) {
            continue;
        }
        if (!write_slot(place, redirect->to, behind_relro(imports, place))) {
            os::Log::get().write(os::LogLevel::kWarning,
                                 "%s is not redirected in %s: its import table cannot be written",
                                 redirect->name, info.dlpi_name);
            return;
        }
        out.slots.push_back({place, before});
    }
}

bool is_patched(const dl_phdr_info& info) {
    for (const Patched& object : patched_objects()) {
        if (object.base == info.dlpi_addr && object.path == info.dlpi_name) {
            return true;
        }
    }
    return false;
}

int patch_object(dl_phdr_info* info, size_t, void* argument) {
    if (!takes_part(info->dlpi_name) || is_patched(*info)) {
        return 0;
    }
    Imports imports;
    if (!read_imports(*info, imports)) {
        return 0;
    }
    Patched patched{info->dlpi_name, info->dlpi_addr, {}};
    patch_table(*info, imports, 0, *static_cast<Job*>(argument), patched);
    patch_table(*info, imports, 1, *static_cast<Job*>(argument), patched);
    patched_objects().push_back(std::move(patched));
    return 0;
}

// One that was unloaded meanwhile is not found here and its slots are gone.
int restore_object(dl_phdr_info* info, size_t, void*) {
    for (const Patched& object : patched_objects()) {
        if (object.base != info->dlpi_addr || object.path != info->dlpi_name) {
            continue;
        }
        Imports imports;
        if (read_imports(*info, imports)) {
            for (const Slot& slot : object.slots) {
                write_slot(slot.place, slot.before, behind_relro(imports, slot.place));
            }
        }
    }
    return 0;
}

constexpr std::string_view kNever[] = {
    // the loader, the C library and what lies below it
    "ld-", "linux-vdso", "libc.so", "libc-", "libpthread", "libdl", "libm.so", "libm-", "librt",
    "libresolv", "libnss_", "libanl", "libutil", "libgcc_s", "libstdc++", "libc++", "musl",
    // allocators, sanitizers, debuggers, tracers
    "libjemalloc", "libtcmalloc", "libmimalloc", "libasan", "libubsan", "libtsan", "liblsan",
    "vgpreload", "xdebug", "without_deepbind",
    // ours: they wait on the loop by themselves or only on their own descriptors
    "stampede", "libcares", "liburing", "libssl", "libcrypto", "libnghttp2", "libz.so", "libbrotli",
    "libzstd",
    // hold locks of the process while they call
    "libsystemd", "libdbus", "libudev"};

}  // namespace

bool takes_part(const char* path) {
    std::string_view name = path;
    name = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    for (std::string_view start : kNever) {
        if (name.substr(0, start.size()) == start) {
            return false;
        }
    }
    return true;
}

void redirect_imports(const Redirect* table, size_t count) {
    Job job(table, count);
    dl_iterate_phdr(patch_object, &job);
}

void restore_imports() {
    dl_iterate_phdr(restore_object, nullptr);
    patched_objects().clear();
}

std::vector<RedirectedObject> redirected_objects() {
    std::vector<RedirectedObject> out;
    for (const Patched& object : patched_objects()) {
        if (!object.slots.empty()) {
            out.push_back({object.path, object.slots.size()});
        }
    }
    return out;
}

}  // namespace stampede::hooks
