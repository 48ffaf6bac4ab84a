#include "hooks/import_table.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "os/log.h"

namespace stampede::hooks {

namespace {

// JUMP_SLOT: a slot of the PLT, for calls. GLOB_DAT: an address in the GOT, for calls without a PLT
// (-fno-plt) and for functions whose address is taken. Both hold the bare address of the function,
// which other kinds of relocations (with an addend, or in data) need not.
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

// `before` is what the slot held when it was found: the function's address, or, where it is bound
// lazily and was not used yet, the way to the linker's resolver, which works as well when it is put
// back.
struct Slot {
    void** place;
    void* before;
    const Redirect* redirect;
};

struct Object {
    std::string path;
    ElfW(Addr) base = 0;
    Policy policy{};
    std::vector<Slot> slots;
    // What the linker has made read-only after relocation (RELRO).
    ElfW(Addr) relro_start = 0;
    ElfW(Addr) relro_end = 0;
    void* Redirect::*leads_to = nullptr;  // null: as the linker left it
    void* Redirect::*kept = nullptr;      // where it led at keep_imports()
    const char* problem = nullptr;
    bool seen = false;  // in this round
};

// Of the PHP thread. `place` points into objects that may be unloaded: nothing is read through it
// before the object has been found again among those that are loaded (find_known()).
std::vector<Object>& known_objects() {
    static std::vector<Object> objects;
    return objects;
}

// How often the linker has loaded and unloaded an object.
struct Changes {
    unsigned long long loaded = 0;
    unsigned long long unloaded = 0;
    bool operator==(const Changes&) const = default;
};

Changes changes_of_list() {
    Changes changes;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
            *static_cast<Changes*>(out) = {info->dlpi_adds, info->dlpi_subs};
            return 1;  // it is the same in each
        },
        &changes);
    return changes;
}

// Of the last look, which was before it: what was loaded meanwhile is looked at next time.
Changes looked_at;
Wanted led_to;

// What a loaded object says about its imports.
struct Imports {
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
    const ElfW(Rela) * tables[2] = {};
    size_t counts[2] = {};
    bool understood = true;
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
            case DT_PLTREL:
                out.understood = entry->d_un.d_val == DT_RELA;
                break;
            default:
                break;
        }
    }
}

bool read_imports(const dl_phdr_info& info, Imports& out, Object& object) {
    for (int i = 0; i < info.dlpi_phnum; i++) {
        const ElfW(Phdr)& header = info.dlpi_phdr[i];
        if (header.p_type == PT_DYNAMIC) {
            read_dynamic(info, reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + header.p_vaddr),
                         out);
        } else if (header.p_type == PT_GNU_RELRO) {
            object.relro_start = info.dlpi_addr + header.p_vaddr;
            object.relro_end = object.relro_start + header.p_memsz;
        }
    }
    return out.symbols != nullptr && out.strings != nullptr && out.understood;
}

// Pages with slots that the linker has made read-only after relocation are opened for the writes.
// Code runs through other slots of the pages meanwhile, which reading allows. What must not happen
// is that another thread writes to them: the linker does while it still relocates the object, and
// would find them closed. That is why objects are held first (LoadedObjects).
class OpenPages {
public:
    // All that lie between the two slots; none without slots there.
    OpenPages(void** first, void** last) {
        if (first == nullptr) {
            return;
        }
        static const auto page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
        auto start = reinterpret_cast<uintptr_t>(first) & ~(page_size - 1);
        pages_ = reinterpret_cast<void*>(start);
        size_ = (reinterpret_cast<uintptr_t>(last) & ~(page_size - 1)) + page_size - start;
        good_ = ::mprotect(pages_, size_, PROT_READ | PROT_WRITE) == 0;
    }
    // False: they could not be opened, or not closed again. Then they hold the right contents.
    bool close() { return good_ && (size_ == 0 || ::mprotect(pages_, size_, PROT_READ) == 0); }
    bool good() const { return good_; }

private:
    void* pages_ = nullptr;
    size_t size_ = 0;
    bool good_ = true;
};

bool behind_relro(const Object& object, void** place) {
    auto address = reinterpret_cast<ElfW(Addr)>(place);
    return address >= object.relro_start && address < object.relro_end;
}

// Which names are redirected, asked for every import of every object: nearly all are told apart by
// their first two letters.
struct Job {
    Wanted wanted;
    std::bitset<65536> starts;
    std::unordered_map<std::string_view, const Redirect*> redirects;

    Job(const Redirect* table, size_t count, Wanted asked) : wanted(asked) {
        redirects.reserve(count);
        for (const Redirect* each = table; each != table + count; each++) {
            starts.set(start_of(each->name));
            redirects.emplace(each->name, each);
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
        auto found = redirects.find(name);
        return found != redirects.end() ? found->second : nullptr;
    }
};

bool is_shared(Share share, Group group) {
    switch (share) {
        case Share::kNone:
            return false;
        case Share::kSleeps:
            return group == Group::kSleep;
        case Share::kEntries:
            return group == Group::kSleep || group == Group::kEntry;
        case Share::kCalls:
            return group == Group::kCall || group == Group::kSleep;
        case Share::kAll:
            return true;
    }
    return false;
}

bool lies_in(const dl_phdr_info& info, const void* address) {
    auto value = reinterpret_cast<ElfW(Addr)>(address);
    for (int i = 0; i < info.dlpi_phnum; i++) {
        const ElfW(Phdr)& header = info.dlpi_phdr[i];
        ElfW(Addr) start = info.dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && value >= start && value < start + header.p_memsz) {
            return true;
        }
    }
    return false;
}

// Where the import of a function leads; a slot that was not used yet leads back into its object.
// dlopen() with RTLD_NOLOAD gives a handle of what is loaded, and dlsym() the address that the
// resolver would find: the slot itself cannot tell it before the first call.
void* address_of_import(const dl_phdr_info& info, void* value, const char* name) {
    if (!lies_in(info, value)) {
        return value;
    }
    const char* path = *info.dlpi_name != 0 ? info.dlpi_name : nullptr;
    void* object = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void* address = object != nullptr ? ::dlsym(object, name) : nullptr;
    if (object != nullptr) {
        ::dlclose(object);
    }
    return address;
}

// Notes the address of a library's function; false for one of another copy of it.
// A process may have two copies of a library (one linked into an extension): the state that is kept
// for calls would be mixed up, and the originals are the functions of one copy only.
bool is_of_that_library(const dl_phdr_info& info, void* value, const Redirect& redirect) {
    if (redirect.original == nullptr) {
        return true;
    }
    void* address = address_of_import(info, value, redirect.name);
    if (*redirect.original == nullptr) {
        *redirect.original = address;
    }
    return address != nullptr && *redirect.original == address;
}

// The slots that could be redirected.
// SHN_UNDEF: an import. A function that the object defines itself under a name of libc's is its
// own.
void find_slots(const dl_phdr_info& info, const Imports& imports, const Job& job, Object& out) {
    for (int which = 0; which < 2; which++) {
        const ElfW(Rela)* relocation = imports.tables[which];
        size_t count = relocation != nullptr ? imports.counts[which] : 0;
        for (size_t i = 0; i < count; i++, relocation++) {
            auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocation->r_info));
            if (type != kJumpSlot && type != kGlobalData) {
                continue;
            }
            const ElfW(Sym)& symbol = imports.symbols[ELF64_R_SYM(relocation->r_info)];
            const Redirect* redirect = job.find(imports.strings + symbol.st_name);
            if (redirect != nullptr && symbol.st_shndx == SHN_UNDEF &&
                is_shared(out.policy.share, redirect->group)) {
                auto** place = reinterpret_cast<void**>(info.dlpi_addr + relocation->r_offset);
                if (is_of_that_library(info, *place, *redirect)) {
                    out.slots.push_back({place, *place, redirect});
                }
            }
        }
    }
}

void* target_of(const Slot& slot, void* Redirect::*leads_to) {
    return leads_to != nullptr ? slot.redirect->*leads_to : slot.before;
}

// An object whose pages cannot be opened is reported as one with a problem and not looked at again.
// Other slots of it that were led before stay so: our functions work for each call alone.
void lead(Object& object, void* Redirect::*leads_to) {
    void **first = nullptr, **last = nullptr;
    for (const Slot& slot : object.slots) {
        if (behind_relro(object, slot.place)) {
            first = first == nullptr ? slot.place : std::min(first, slot.place);
            last = std::max(last, slot.place);
        }
    }
    OpenPages pages(first, last);
    if (pages.good()) {
        for (const Slot& slot : object.slots) {
            *slot.place = target_of(slot, leads_to);
        }
    }
    if (!pages.close()) {
        object.problem = "its import table cannot be written";
        os::Log::get().write(os::LogLevel::kWarning,
                             "%s is not redirected: its import table cannot be written; calls of "
                             "it block the whole process",
                             object.path.c_str());
        return;
    }
    object.leads_to = leads_to;
}

// By its place in memory: the module's file may have been given any name.
bool is_ours(const dl_phdr_info& info) {
    static const auto base = [] {
        Dl_info ours = {};
        dladdr(reinterpret_cast<void*>(&is_ours), &ours);
        return reinterpret_cast<uintptr_t>(ours.dli_fbase);
    }();
    return info.dlpi_addr == base;
}

void* Redirect::*target_for(const Policy& policy, Wanted wanted) {
    if (policy.flags == 0) {
        return &Redirect::to;
    }
    if ((wanted.flags & policy.flags) != 0) {
        return &Redirect::when_selected;
    }
    return wanted.unselected ? &Redirect::when_unselected : nullptr;
}

// Nothing when another library has taken the place of an object that went: the same file may have
// been loaded again to the same address, with slots as the linker makes them. The first slot shows
// it.
Object* find_known(const dl_phdr_info& info) {
    for (Object& object : known_objects()) {
        if (object.base == info.dlpi_addr && object.path == info.dlpi_name) {
            bool same = object.slots.empty() ||
                        *object.slots[0].place == target_of(object.slots[0], object.leads_to);
            return same || object.problem != nullptr ? &object : nullptr;
        }
    }
    return nullptr;
}

void forget_object(const dl_phdr_info& info) {
    std::erase_if(known_objects(), [&](const Object& object) {
        return object.base == info.dlpi_addr && object.path == info.dlpi_name;
    });
}

// The reference is good until the next object is added: the vector may move.
Object& add_object(const dl_phdr_info& info, const Job& job) {
    forget_object(info);
    Object& object = known_objects().emplace_back();
    object.path = info.dlpi_name;
    object.base = info.dlpi_addr;
    object.policy = is_ours(info) ? policy_of("stampede") : policy_of(info.dlpi_name);
    Imports imports;
    if (object.policy.share == Share::kNone) {
        object.problem = "left alone";
    } else if (!read_imports(info, imports, object)) {
        object.problem = "its import table is of an unknown form";
        os::Log::get().write(os::LogLevel::kWarning,
                             "%s is not redirected: its import table is of an unknown form; calls "
                             "of it block the whole process",
                             info.dlpi_name);
    } else {
        find_slots(info, imports, job, object);
    }
    return object;
}

void patch_object(const dl_phdr_info& info, const Job& job) {
    Object* known = find_known(info);
    Object& object = known != nullptr ? *known : add_object(info, job);
    object.seen = true;
    void* Redirect::*leads_to = target_for(object.policy, job.wanted);
    if (object.problem == nullptr && object.leads_to != leads_to) {
        lead(object, leads_to);
    }
}

// An earlier state of an object.
using Earlier = void* Redirect::* (*)(const Object&);

void lead_back(Object& object, Earlier earlier) {
    if (object.leads_to != earlier(object)) {
        lead(object, earlier(object));
    }
}

// What is loaded, each object held so that it stays. The linker has two locks:
//
//   this thread, in dl_iterate_phdr()     list lock; its callback in dlopen(): load lock     (!)
//   another one, in dlopen()              load lock; then the list lock
//
// So the callbacks here only copy, and the objects are looked at when both locks are free: else
// each of the two threads could wait for the other's. Holding an object (dlopen() of what is
// loaded) waits for the other thread's dlopen() to end, so that the object is either relocated or
// gone: the linker would write into pages that write_slot() has closed again.
//
// The list is read twice. What the first pass saw and could not be held is gone; what the second
// pass sees and the first has not may still be relocated: it is left for the next look, which
// library_was_loaded() asks for. The copies point to names and headers of objects that are held.
class LoadedObjects {
public:
    LoadedObjects() {
        std::vector<std::string> paths;
        dl_iterate_phdr(
            [](dl_phdr_info* info, size_t, void* out) {
                static_cast<std::vector<std::string>*>(out)->emplace_back(info->dlpi_name);
                return 0;
            },
            &paths);
        for (const std::string& path : paths) {
            hold(path);
        }
        dl_iterate_phdr(
            [](dl_phdr_info* info, size_t, void* self) {
                static_cast<LoadedObjects*>(self)->add(*info);
                return 0;
            },
            this);
    }
    ~LoadedObjects() {
        for (const Held& held : held_) {
            ::dlclose(held.handle);
        }
    }
    LoadedObjects(const LoadedObjects&) = delete;
    LoadedObjects& operator=(const LoadedObjects&) = delete;

    const std::vector<dl_phdr_info>& infos() const { return infos_; }

private:
    struct Held {
        void* handle;
        ElfW(Addr) base;
    };

    void hold(const std::string& path) {
        void* handle = ::dlopen(path.empty() ? nullptr : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        link_map* map = nullptr;
        if (handle != nullptr && ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) {
            held_.push_back({handle, map->l_addr});
        }
    }
    void add(const dl_phdr_info& info) {
        for (const Held& held : held_) {
            if (held.base == info.dlpi_addr) {
                infos_.push_back(info);
                return;
            }
        }
    }

    std::vector<Held> held_;
    std::vector<dl_phdr_info> infos_;
};

}  // namespace

void redirect_imports(const Redirect* table, size_t count, Wanted wanted) {
    if (kJumpSlot == UINT32_MAX) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "Blocking calls cannot be redirected on this kind of processor: they "
                             "block the whole process");
        return;
    }
    Changes now = changes_of_list();
    if (looked_at == now && led_to == wanted) {
        return;  // as in a child, whose parent has done it
    }
    Job job(table, count, wanted);
    for (Object& object : known_objects()) {
        object.seen = false;
    }
    LoadedObjects loaded;
    for (const dl_phdr_info& info : loaded.infos()) {
        patch_object(info, job);
    }
    std::erase_if(known_objects(), [](const Object& object) { return !object.seen; });
    looked_at = now;
    led_to = wanted;
}

namespace {

void lead_all_back(Earlier earlier) {
    if (looked_at == changes_of_list()) {  // all are still there, and relocated
        for (Object& object : known_objects()) {
            lead_back(object, earlier);
        }
        return;
    }
    LoadedObjects loaded;
    for (const dl_phdr_info& info : loaded.infos()) {
        // One that was unloaded meanwhile is not found, and its slots are gone.
        if (Object* known = find_known(info)) {
            lead_back(*known, earlier);
        }
    }
}

}  // namespace

// Before the code of this module goes. A thread that is inside of one of our functions by then
// would return into nothing: os::start_thread() keeps the module mapped once there are threads.
void restore_imports() {
    lead_all_back([](const Object&) -> void* Redirect::* { return nullptr; });
    known_objects().clear();
    looked_at = {};
}

void keep_imports() {
    for (Object& object : known_objects()) {
        object.kept = object.leads_to;
    }
}

void return_to_kept_imports() {
    bool changed = std::ranges::any_of(
        known_objects(), [](const Object& object) { return object.leads_to != object.kept; });
    if (changed) {
        lead_all_back([](const Object& object) { return object.kept; });
    }
}

std::vector<ObjectReport> report_objects() {
    std::vector<ObjectReport> out;
    for (const Object& object : known_objects()) {
        ObjectReport& report = out.emplace_back();
        report.path = object.path;
        report.policy = object.policy;
        report.problem = object.problem;
        report.selected = object.leads_to != nullptr;
        for (const Slot& slot : object.slots) {
            if (object.leads_to != nullptr) {
                report.functions.push_back(slot.redirect->name);
            }
        }
    }
    return out;
}

}  // namespace stampede::hooks
