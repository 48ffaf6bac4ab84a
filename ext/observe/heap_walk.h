// A walk over everything that the script holds, from what names it (static properties and
// variables, globals, constants, the variables of functions that run or wait) to each object and
// array, by the shortest path. Reads only, and runs no code of the application; what is found is
// valid until PHP code runs again. PHP thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "zend/php.h"

namespace stampede::observe {

// Addresses that were seen: open addressing, since there may be millions.
class AddressSet {
public:
    AddressSet() : slots_(1024) {}
    // False: it is there already.
    bool insert(const void* address);

private:
    void grow();
    size_t slot(const void* address) const;

    std::vector<const void*> slots_;
    size_t size_ = 0;
};

class HeapWalk {
public:
    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr size_t kMostNodes = 4'000'000;
    static constexpr size_t kMostHolders = 20'000;

    struct ClassFacts {
        const zend_class_entry* of_class;  // null: what no object holds
        uint64_t count = 0;
        uint64_t reached = 0;
        // Of the instances, with the arrays and strings that were first reached by them.
        uint64_t bytes = 0;
        uint32_t newest_handle = 0;
        uint32_t newest_node = kNone;
    };
    // A collection or a text that has a name: a path of names of variables, properties and keys.
    enum class Unit : uint8_t { kEntries, kBytes };
    struct Holder {
        uint32_t node;  // the path to it
        uint64_t size;
        Unit unit;
        zend_string* name;  // of a text, below that node
        uint64_t bytes;
    };

    // No longer than until the deadline.
    explicit HeapWalk(Nanos deadline) : deadline_(deadline) {}
    void run();

    bool is_complete() const { return complete_; }
    size_t objects() const { return objects_; }
    const std::vector<ClassFacts>& classes() const { return classes_; }
    const std::vector<Holder>& holders() const { return holders_; }
    std::string path_of(uint32_t node) const;
    std::string path_of(const Holder& holder) const;

private:
    enum class Edge : uint8_t { kRoot, kProperty, kKey, kIndex, kVariable, kInside };
    union Label {
        const zend_string* name;
        zend_ulong index;  // of an entry, or of the text of a root
    };
    struct Node {
        zend_refcounted* value;
        uint32_t parent;
        uint32_t owner;  // in classes_
        Label label;
        Edge edge;
        uint8_t depth;  // of a path of names; 0: an element of a collection is on the way
    };
    struct From {
        uint32_t parent;
        uint32_t owner;
        uint8_t depth;
    };

    void count_objects();
    uint32_t facts_of(const zend_class_entry* of_class);
    void visit_roots();
    void visit_class(zend_class_entry* of_class);
    void visit_statics_of(const zend_function* function);
    void visit_symbols(HashTable* table, const char* start);
    void visit_frames(const zend_execute_data* frame, const std::string& start);
    void visit_fibers();
    void visit_unreached();
    void visit_root(zval* value, std::string name);
    void visit(zval* value, From from, Edge edge, Label label);
    void drain();
    void expand(uint32_t index);
    void expand_array(zend_array* array, From from);
    void expand_table(HashTable* table, From from, Edge edge);
    void expand_object(zend_object* object, From from);
    void add_holder(uint32_t node, uint64_t size, uint64_t bytes);
    bool is_over();

    Nanos deadline_;
    bool complete_ = true;
    size_t objects_ = 0;
    size_t next_ = 0;  // node to be expanded
    AddressSet seen_;
    std::vector<Node> nodes_;
    std::vector<std::string> roots_;
    std::vector<ClassFacts> classes_;
    std::unordered_map<const zend_class_entry*, uint32_t> class_numbers_;
    std::vector<Holder> holders_;
};

}  // namespace stampede::observe
