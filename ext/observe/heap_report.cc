#include "ext/observe/heap_report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ext/observe/heap_walk.h"

namespace stampede::observe {

namespace {

constexpr size_t kMostShown = 100;  // classes, and collections
constexpr size_t kMostMarks = 4;    // of as many clients; the oldest one goes
constexpr Nanos kLeastPause = 5 * kMillisecond;

// Sizes of a moment, in memory of its own: nothing of the script is held.
struct Mark {
    struct OfClass {
        uint64_t count;
        uint64_t bytes;
    };
    int64_t session;
    Nanos at;
    size_t usage;
    std::unordered_map<std::string, OfClass> classes;
    std::unordered_map<std::string, uint64_t> holders;
};

std::vector<std::unique_ptr<Mark>> marks;

std::string name_of(const HeapWalk::ClassFacts& facts) {
    return facts.of_class != nullptr
               ? std::string(ZSTR_VAL(facts.of_class->name), ZSTR_LEN(facts.of_class->name))
               : std::string("(no object)");
}

void add_text(zval* array, const char* name, const std::string& text) {
    add_assoc_stringl(array, name, text.data(), text.size());
}

void add_count(zval* array, const char* name, uint64_t count) {
    add_assoc_long(array, name, static_cast<zend_long>(count));
}

const char* unit_of(const HeapWalk::Holder& holder) {
    return holder.unit == HeapWalk::Unit::kBytes ? "bytes" : "entries";
}

std::unique_ptr<HeapWalk> walk(Nanos pause, Nanos* took) {
    Nanos began = monotonic_now();
    auto done = std::make_unique<HeapWalk>(began + std::max(pause, kLeastPause));
    done->run();
    *took = monotonic_now() - began;
    return done;
}

void add_head(const HeapWalk& heap, Nanos took, zval* out) {
    array_init(out);
    add_assoc_double(out, "took_ms", static_cast<double>(took) / kMillisecond);
    add_assoc_bool(out, "complete", heap.is_complete());
    add_count(out, "objects", heap.objects());
    add_count(out, "usage", zend_memory_usage(false));
}

// ---- now ---------------------------------------------------------------------------------------

void add_classes(const HeapWalk& heap, zval* out) {
    std::vector<const HeapWalk::ClassFacts*> largest;
    for (const HeapWalk::ClassFacts& facts : heap.classes()) {
        if (facts.count > 0 || facts.bytes > 0) {
            largest.push_back(&facts);
        }
    }
    std::sort(largest.begin(), largest.end(),
              [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    zval list;
    array_init(&list);
    for (size_t i = 0; i < std::min(largest.size(), kMostShown); i++) {
        const HeapWalk::ClassFacts& facts = *largest[i];
        zval entry;
        array_init(&entry);
        add_text(&entry, "class", name_of(facts));
        add_count(&entry, "count", facts.count);
        add_count(&entry, "bytes", facts.bytes);
        add_count(&entry, "unreached", facts.count - std::min(facts.reached, facts.count));
        add_text(&entry, "path", heap.path_of(facts.newest_node));
        add_next_index_zval(&list, &entry);
    }
    add_assoc_zval(out, "classes", &list);
}

void add_holders(const HeapWalk& heap, zval* out) {
    std::vector<const HeapWalk::Holder*> largest;
    for (const HeapWalk::Holder& holder : heap.holders()) {
        largest.push_back(&holder);
    }
    std::sort(largest.begin(), largest.end(),
              [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    zval list;
    array_init(&list);
    for (size_t i = 0; i < std::min(largest.size(), kMostShown); i++) {
        zval entry;
        array_init(&entry);
        add_text(&entry, "path", heap.path_of(*largest[i]));
        add_text(&entry, "unit", unit_of(*largest[i]));
        add_count(&entry, "size", largest[i]->size);
        add_next_index_zval(&list, &entry);
    }
    add_assoc_zval(out, "holders", &list);
}

// ---- between two moments -----------------------------------------------------------------------

void forget(int64_t session) {
    std::erase_if(marks, [&](const auto& mark) { return mark->session == session; });
}

void set_mark(const HeapWalk& heap, int64_t session) {
    forget(session);
    if (marks.size() >= kMostMarks) {
        marks.erase(marks.begin());
    }
    auto mark = std::make_unique<Mark>();
    mark->session = session;
    mark->at = monotonic_now();
    mark->usage = zend_memory_usage(false);
    for (const HeapWalk::ClassFacts& facts : heap.classes()) {
        mark->classes[name_of(facts)] = {facts.count, facts.bytes};
    }
    for (const HeapWalk::Holder& holder : heap.holders()) {
        mark->holders[heap.path_of(holder)] = holder.size;
    }
    marks.push_back(std::move(mark));
}

void add_grown_classes(const HeapWalk& heap, const Mark& mark, zval* out) {
    struct Grown {
        const HeapWalk::ClassFacts* facts;
        Mark::OfClass before;
    };
    std::vector<Grown> grown;
    for (const HeapWalk::ClassFacts& facts : heap.classes()) {
        auto found = mark.classes.find(name_of(facts));
        Mark::OfClass before = found != mark.classes.end() ? found->second : Mark::OfClass{0, 0};
        if (facts.count > before.count && facts.of_class != nullptr) {
            grown.push_back({&facts, before});
        }
    }
    std::sort(grown.begin(), grown.end(), [](const Grown& a, const Grown& b) {
        return a.facts->count - a.before.count > b.facts->count - b.before.count;
    });
    zval list;
    array_init(&list);
    for (size_t i = 0; i < std::min(grown.size(), kMostShown); i++) {
        const HeapWalk::ClassFacts& facts = *grown[i].facts;
        zval entry;
        array_init(&entry);
        add_text(&entry, "class", name_of(facts));
        add_count(&entry, "before", grown[i].before.count);
        add_count(&entry, "after", facts.count);
        add_count(&entry, "bytes_before", grown[i].before.bytes);
        add_count(&entry, "bytes_after", facts.bytes);
        add_count(&entry, "unreached", facts.count - std::min(facts.reached, facts.count));
        add_text(&entry, "path", heap.path_of(facts.newest_node));
        add_next_index_zval(&list, &entry);
    }
    add_assoc_zval(out, "classes", &list);
}

// One that was not there, or had another path, has no size before.
void add_grown_holders(const HeapWalk& heap, const Mark& mark, zval* out) {
    struct Grown {
        std::string path;
        const HeapWalk::Holder* holder;
        uint64_t before;
    };
    std::vector<Grown> grown;
    for (const HeapWalk::Holder& holder : heap.holders()) {
        std::string path = heap.path_of(holder);
        auto found = mark.holders.find(path);
        if (found != mark.holders.end() && holder.size > found->second) {
            grown.push_back({std::move(path), &holder, found->second});
        }
    }
    std::sort(grown.begin(), grown.end(), [](const Grown& a, const Grown& b) {
        return a.holder->size - a.before > b.holder->size - b.before;
    });
    zval list;
    array_init(&list);
    for (size_t i = 0; i < std::min(grown.size(), kMostShown); i++) {
        zval entry;
        array_init(&entry);
        add_text(&entry, "path", grown[i].path);
        add_text(&entry, "unit", unit_of(*grown[i].holder));
        add_count(&entry, "before", grown[i].before);
        add_count(&entry, "after", grown[i].holder->size);
        add_next_index_zval(&list, &entry);
    }
    add_assoc_zval(out, "holders", &list);
}

void report_growth(const HeapRequest& request, zval* out) {
    auto found = std::find_if(marks.begin(), marks.end(),
                              [&](const auto& mark) { return mark->session == request.session; });
    if (found == marks.end()) {
        array_init(out);
        add_text(out, "error", "there is no earlier moment to compare with");
        return;
    }
    Nanos took;
    auto heap = walk(request.pause, &took);
    add_head(*heap, took, out);
    add_count(out, "usage_before", (*found)->usage);
    add_assoc_double(out, "seconds", static_cast<double>(monotonic_now() - (*found)->at) / kSecond);
    add_grown_classes(*heap, **found, out);
    add_grown_holders(*heap, **found, out);
    forget(request.session);
}

}  // namespace

HeapRequest heap_request_of(int64_t number) {
    return {static_cast<HeapAction>(number & 3), ((number >> 2) & 0x3fff) * kMillisecond,
            number >> 16};
}

void report_heap(const HeapRequest& request, zval* out) {
    if (request.action == HeapAction::kForget) {
        forget(request.session);
        array_init(out);
        return;
    }
    if (request.action == HeapAction::kGrowth) {
        report_growth(request, out);
        return;
    }
    Nanos took;
    auto heap = walk(request.pause, &took);
    if (request.action == HeapAction::kMark) {
        set_mark(*heap, request.session);
        add_head(*heap, took, out);
        return;
    }
    add_head(*heap, took, out);
    add_classes(*heap, out);
    add_holders(*heap, out);
}

bool heap_sizes(Nanos pause, zval* out) {
    Nanos took;
    auto heap = walk(pause, &took);
    if (!heap->is_complete()) {
        return false;
    }
    array_init(out);
    auto add = [&](const std::string& name, const char* unit, uint64_t size) {
        zval entry;
        array_init(&entry);
        add_next_index_string(&entry, unit);
        add_next_index_long(&entry, static_cast<zend_long>(size));
        zend_symtable_str_update(Z_ARRVAL_P(out), name.data(), name.size(), &entry);
    };
    for (const HeapWalk::ClassFacts& facts : heap->classes()) {
        if (facts.of_class != nullptr) {
            add("class " + name_of(facts), "instances", facts.count);
        }
    }
    for (const HeapWalk::Holder& holder : heap->holders()) {
        add(heap->path_of(holder), unit_of(holder), holder.size);
    }
    return true;
}

void heap_paths(HashTable* classes, Nanos pause, zval* out) {
    Nanos took;
    auto heap = walk(pause, &took);
    std::unordered_map<std::string, uint32_t> newest;
    for (const HeapWalk::ClassFacts& facts : heap->classes()) {
        if (facts.of_class != nullptr && facts.newest_node != HeapWalk::kNone) {
            newest[name_of(facts)] = facts.newest_node;
        }
    }
    array_init(out);
    zval* name;
    ZEND_HASH_FOREACH_VAL(classes, name) {
        auto found = Z_TYPE_P(name) == IS_STRING ? newest.find({Z_STRVAL_P(name), Z_STRLEN_P(name)})
                                                 : newest.end();
        if (found != newest.end()) {
            std::string path = heap->path_of(found->second);
            add_assoc_stringl_ex(out, Z_STRVAL_P(name), Z_STRLEN_P(name), path.data(), path.size());
        }
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace stampede::observe
