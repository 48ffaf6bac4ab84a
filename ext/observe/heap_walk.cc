#include "ext/observe/heap_walk.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/runtime.h"

namespace stampede::observe {

namespace {

constexpr uint8_t kMostDepth = 24;          // of a path of names
constexpr uint32_t kMostNamed = 64;         // entries of an array whose keys are names
constexpr size_t kLongText = 256;           // bytes of a text that is reported itself
constexpr size_t kNodesBetweenLooks = 512;  // at the clock

// Without the class that the engine puts before the names of private and protected properties.
const char* plain_name(const zend_string* name) {
    const char* text = ZSTR_VAL(name);
    if (ZSTR_LEN(name) > 0 && text[0] == '\0') {
        const void* end = std::memchr(text + 1, '\0', ZSTR_LEN(name) - 1);
        return end != nullptr ? static_cast<const char*>(end) + 1 : text + 1;
    }
    return text;
}

std::string name_of(const zend_function* function) {
    std::string out;
    if (function->common.function_name == nullptr) {
        return "the script";
    }
    if (function->common.scope != nullptr) {
        out.append(ZSTR_VAL(function->common.scope->name)).append("::");
    }
    return out.append(ZSTR_VAL(function->common.function_name)).append("()");
}

uint64_t size_of(const zend_array* array) {
    bool is_empty = (HT_FLAGS(array) & HASH_FLAG_UNINITIALIZED) != 0;
    return sizeof(zend_array) + (is_empty              ? 0
                                 : HT_IS_PACKED(array) ? HT_PACKED_SIZE(array)
                                                       : HT_SIZE(array));
}

uint64_t size_of(const zend_object* object) {
    return sizeof(zend_object) + zend_object_properties_size(object->ce) +
           static_cast<uint64_t>(object->handlers->offset);
}

// What each of those who share it has of it.
uint64_t share_of(const zend_string* text) {
    return _ZSTR_STRUCT_SIZE(ZSTR_LEN(text)) / GC_REFCOUNT(text);
}

// What measures grows with each look, and is not what is measured.
bool is_of_measuring(const zend_class_entry* of_class) {
    return std::string_view(ZSTR_VAL(of_class->name), ZSTR_LEN(of_class->name))
        .starts_with("Stampede\\Diagnostics\\");
}

// Containers whose count() does nothing but return a number.
constexpr std::string_view kContainers[] = {
    "ArrayObject", "ArrayIterator",    "SplDoublyLinkedList", "SplFixedArray",
    "SplHeap",     "SplObjectStorage", "SplPriorityQueue"};

// Null: none of them, or a class of the application with a count() of its own.
const zend_function* own_count(const zend_object* object) {
    if (zend_hash_num_elements(&object->ce->function_table) == 0) {
        return nullptr;  // the class of a foreach's iterator, whose tables are not even made
    }
    auto* count = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&object->ce->function_table, ZEND_STRL("count")));
    if (count == nullptr || count->type != ZEND_INTERNAL_FUNCTION) {
        return nullptr;
    }
    std::string_view scope(ZSTR_VAL(count->common.scope->name),
                           ZSTR_LEN(count->common.scope->name));
    bool is_known =
        std::find(std::begin(kContainers), std::end(kContainers), scope) != std::end(kContainers);
    return is_known ? count : nullptr;
}

// Runs no code of the application.
bool count_of(zend_object* object, uint64_t* out) {
    zend_long count = 0;
    if (const zend_function* function = own_count(object)) {
        zval result;
        zend_call_known_instance_method_with_0_params(const_cast<zend_function*>(function), object,
                                                      &result);
        count = Z_TYPE(result) == IS_LONG ? Z_LVAL(result) : 0;
        zval_ptr_dtor(&result);
    } else if (object->handlers->count_elements == nullptr ||
               object->ce->type != ZEND_INTERNAL_CLASS ||
               object->handlers->count_elements(object, &count) != SUCCESS) {
        return false;
    }
    *out = static_cast<uint64_t>(count);
    return true;
}

}  // namespace

size_t AddressSet::slot(const void* address) const {
    uint64_t hash = (reinterpret_cast<uintptr_t>(address) >> 3) * 0x9e3779b97f4a7c15;
    return (hash >> 20) & (slots_.size() - 1);
}

bool AddressSet::insert(const void* address) {
    if ((size_ + 1) * 2 > slots_.size()) {
        grow();
    }
    size_t i = slot(address);
    while (slots_[i] != nullptr) {
        if (slots_[i] == address) {
            return false;
        }
        i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i] = address;
    size_++;
    return true;
}

void AddressSet::grow() {
    std::vector<const void*> before(slots_.size() * 2);
    std::swap(before, slots_);
    for (const void* address : before) {
        if (address == nullptr) {
            continue;
        }
        size_t i = slot(address);
        while (slots_[i] != nullptr) {
            i = (i + 1) & (slots_.size() - 1);
        }
        slots_[i] = address;
    }
}

bool HeapWalk::is_over() {
    if (!complete_) {
        return true;
    }
    bool looks = next_ % kNodesBetweenLooks == 0;
    if (nodes_.size() >= kMostNodes || (looks && monotonic_now() > deadline_)) {
        complete_ = false;
    }
    return !complete_;
}

void HeapWalk::run() {
    facts_of(nullptr);
    count_objects();
    visit_roots();
    drain();
    visit_fibers();
    drain();
    visit_unreached();
}

uint32_t HeapWalk::facts_of(const zend_class_entry* of_class) {
    auto [found, is_new] = class_numbers_.emplace(of_class, static_cast<uint32_t>(classes_.size()));
    if (is_new) {
        classes_.push_back({of_class});
    }
    return found->second;
}

void HeapWalk::count_objects() {
    for (uint32_t handle = 1; handle < EG(objects_store).top; handle++) {
        zend_object* object = EG(objects_store).object_buckets[handle];
        if (IS_OBJ_VALID(object)) {
            ClassFacts& facts = classes_[facts_of(object->ce)];
            facts.count++;
            facts.bytes += size_of(object);
            objects_++;
        }
    }
}

// ---- roots -------------------------------------------------------------------------------------

void HeapWalk::visit_root(zval* value, std::string name) {
    roots_.push_back(std::move(name));
    Label label;
    label.index = roots_.size() - 1;
    size_t before = nodes_.size();
    size_t texts = holders_.size();
    visit(value, {kNone, 0, 1}, Edge::kRoot, label);
    if (nodes_.size() == before && holders_.size() == texts) {
        roots_.pop_back();
    }
}

void HeapWalk::visit_symbols(HashTable* table, const char* start) {
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(table, name, value) {
        if (Z_TYPE_P(value) == IS_INDIRECT) {
            value = Z_INDIRECT_P(value);
        }
        if (name != nullptr && !zend_string_equals_literal(name, "GLOBALS")) {
            visit_root(value, std::string(start).append(ZSTR_VAL(name)));
        }
    }
    ZEND_HASH_FOREACH_END();
}

void HeapWalk::visit_statics_of(const zend_function* function) {
    if (function->type != ZEND_USER_FUNCTION || function->op_array.static_variables == nullptr ||
        ZEND_MAP_PTR(function->op_array.static_variables_ptr) == nullptr) {
        return;
    }
    HashTable* table =
        static_cast<HashTable*>(ZEND_MAP_PTR_GET(function->op_array.static_variables_ptr));
    if (table != nullptr) {
        visit_symbols(table, (name_of(function) + " static $").c_str());
    }
}

void HeapWalk::visit_class(zend_class_entry* of_class) {
    zval* entry;
    zval* values = of_class->default_static_members_count > 0 &&
                           ZEND_MAP_PTR(of_class->static_members_table) != nullptr
                       ? CE_STATIC_MEMBERS(of_class)
                       : nullptr;
    if (values != nullptr) {
        ZEND_HASH_FOREACH_VAL(&of_class->properties_info, entry) {
            const auto* info = static_cast<const zend_property_info*>(Z_PTR_P(entry));
            if ((info->flags & ZEND_ACC_STATIC) != 0 && info->ce == of_class) {
                visit_root(&values[info->offset], std::string(ZSTR_VAL(of_class->name))
                                                      .append("::$")
                                                      .append(plain_name(info->name)));
            }
        }
        ZEND_HASH_FOREACH_END();
    }
    ZEND_HASH_FOREACH_VAL(&of_class->function_table, entry) {
        const zend_function* method = Z_FUNC_P(entry);
        if (method->common.scope == of_class) {
            visit_statics_of(method);
        }
    }
    ZEND_HASH_FOREACH_END();
}

void HeapWalk::visit_roots() {
    zval* entry;
    ZEND_HASH_FOREACH_VAL(EG(class_table), entry) {
        if (Z_TYPE_P(entry) == IS_PTR && Z_CE_P(entry)->type == ZEND_USER_CLASS) {
            visit_class(Z_CE_P(entry));
        }
    }
    ZEND_HASH_FOREACH_END();
    ZEND_HASH_FOREACH_VAL(EG(function_table), entry) { visit_statics_of(Z_FUNC_P(entry)); }
    ZEND_HASH_FOREACH_END();
    visit_symbols(&EG(symbol_table), "$");
    ZEND_HASH_FOREACH_VAL(EG(zend_constants), entry) {
        auto* constant = static_cast<zend_constant*>(Z_PTR_P(entry));
        if (ZEND_CONSTANT_MODULE_NUMBER(constant) == PHP_USER_CONSTANT) {
            visit_root(&constant->value, std::string("constant ") + ZSTR_VAL(constant->name));
        }
    }
    ZEND_HASH_FOREACH_END();
    visit_frames(EG(current_execute_data), "");
}

// The variables of functions that have been called and not returned from.
void HeapWalk::visit_frames(const zend_execute_data* frame, const std::string& start) {
    for (; frame != nullptr; frame = frame->prev_execute_data) {
        if (frame->func == nullptr || !ZEND_USER_CODE(frame->func->type)) {
            continue;
        }
        const zend_op_array& code = frame->func->op_array;
        auto* call = const_cast<zend_execute_data*>(frame);
        std::string name = start + name_of(frame->func) + " $";
        for (int i = 0; i < code.last_var; i++) {
            visit_root(ZEND_CALL_VAR_NUM(call, i), name + ZSTR_VAL(code.vars[i]));
        }
        if (Z_TYPE(call->This) == IS_OBJECT) {
            visit_root(&call->This, name + "this");
        }
    }
}

void HeapWalk::visit_fibers() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime == nullptr) {
        return;
    }
    runtime->fibers().each([&](int64_t cid, const runtime::Fiber& fiber) {
        if (fiber.waiting()) {
            visit_frames(fiber.execute_data, "coroutine " + std::to_string(cid) + ": ");
        }
    });
}

// What extensions hold alone, and cycles that nobody holds and the collector has not come to.
void HeapWalk::visit_unreached() {
    for (uint32_t handle = 1; handle < EG(objects_store).top && complete_; handle++) {
        zend_object* object = EG(objects_store).object_buckets[handle];
        if (!IS_OBJ_VALID(object) || !seen_.insert(object)) {
            continue;
        }
        roots_.push_back(std::string("an object of ") + ZSTR_VAL(object->ce->name));
        Label label;
        label.index = roots_.size() - 1;
        uint32_t owner = facts_of(object->ce);
        if (classes_[owner].newest_node == kNone) {
            classes_[owner].newest_node = static_cast<uint32_t>(nodes_.size());
        }
        nodes_.push_back(
            {reinterpret_cast<zend_refcounted*>(object), kNone, owner, label, Edge::kRoot, 1});
        drain();
    }
}

// ---- the walk ----------------------------------------------------------------------------------

void HeapWalk::visit(zval* value, From from, Edge edge, Label label) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_STRING && Z_REFCOUNTED_P(value)) {
        uint64_t bytes = share_of(Z_STR_P(value));
        classes_[from.owner].bytes += bytes;
        bool is_named = from.depth > 0 && edge != Edge::kIndex && edge != Edge::kInside;
        if (is_named && Z_STRLEN_P(value) >= kLongText && holders_.size() < kMostHolders &&
            edge != Edge::kRoot) {
            holders_.push_back({from.parent, Z_STRLEN_P(value), Unit::kBytes,
                                const_cast<zend_string*>(label.name), bytes});
        }
        return;
    }
    bool is_array = Z_TYPE_P(value) == IS_ARRAY;
    if ((!is_array && Z_TYPE_P(value) != IS_OBJECT) || !Z_REFCOUNTED_P(value) ||
        (GC_FLAGS(Z_COUNTED_P(value)) & GC_IMMUTABLE) != 0 || !seen_.insert(Z_COUNTED_P(value))) {
        return;
    }
    uint32_t owner = from.owner;
    if (!is_array) {
        owner = facts_of(Z_OBJCE_P(value));
        ClassFacts& facts = classes_[owner];
        facts.reached++;
        if (Z_OBJ_HANDLE_P(value) >= facts.newest_handle) {
            facts.newest_handle = Z_OBJ_HANDLE_P(value);
            facts.newest_node = static_cast<uint32_t>(nodes_.size());
        }
    }
    uint8_t depth = from.depth;
    bool is_measuring = !is_array && is_of_measuring(Z_OBJCE_P(value));
    if (edge == Edge::kIndex || depth >= kMostDepth || is_measuring) {
        depth = 0;
    } else if (depth > 0 && edge != Edge::kRoot) {
        depth++;
    }
    nodes_.push_back({Z_COUNTED_P(value), from.parent, owner, label, edge, depth});
}

void HeapWalk::drain() {
    while (next_ < nodes_.size() && !is_over()) {
        expand(static_cast<uint32_t>(next_));
        next_++;
    }
}

void HeapWalk::add_holder(uint32_t node, uint64_t size, uint64_t bytes) {
    if (nodes_[node].depth > 0 && holders_.size() < kMostHolders) {
        holders_.push_back({node, size, Unit::kEntries, nullptr, bytes});
    }
}

void HeapWalk::expand(uint32_t index) {
    Node node = nodes_[index];  // a copy: the list moves as it grows
    From from = {index, node.owner, node.depth};
    if (GC_TYPE(node.value) == IS_OBJECT) {
        auto* object = reinterpret_cast<zend_object*>(node.value);
        uint64_t count;
        if (node.depth > 0 && count_of(object, &count)) {
            add_holder(index, count, size_of(object));
        }
        expand_object(object, from);
        return;
    }
    auto* array = reinterpret_cast<zend_array*>(node.value);
    classes_[node.owner].bytes += size_of(array);
    add_holder(index, zend_hash_num_elements(array), size_of(array));
    expand_array(array, from);
}

// The keys of a small array name parts of a structure; in a large one they are those of a
// collection.
void HeapWalk::expand_array(zend_array* array, From from) {
    if (zend_hash_num_elements(array) > kMostNamed) {
        from.depth = 0;
    }
    expand_table(array, from, Edge::kKey);
}

void HeapWalk::expand_table(HashTable* table, From from, Edge edge) {
    zend_ulong index;
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(table, index, name, value) {
        if (Z_TYPE_P(value) == IS_INDIRECT) {
            value = Z_INDIRECT_P(value);
        }
        Label label;
        if (name != nullptr) {
            label.name = name;
            if (edge == Edge::kKey && !ZSTR_IS_INTERNED(name)) {
                classes_[from.owner].bytes += share_of(name);
            }
        } else {
            label.index = index;
        }
        visit(value, from, name != nullptr ? edge : Edge::kIndex, label);
    }
    ZEND_HASH_FOREACH_END();
}

// get_gc is what the cycle collector asks: it shows the values that an object holds and runs no
// code. The engine's own handler may build a table of properties for that, so those of ordinary
// objects are read where they are.
void HeapWalk::expand_object(zend_object* object, From from) {
    bool is_ordinary = object->handlers->get_gc == zend_std_get_gc;
    zval* values = is_ordinary ? object->properties_table : nullptr;
    int count = is_ordinary ? object->ce->default_properties_count : 0;
    HashTable* table =
        is_ordinary ? object->properties : object->handlers->get_gc(object, &values, &count);
    bool has_slots = values == object->properties_table;
    for (int i = 0; i < count; i++) {
        const zend_property_info* info = has_slots &&
                                                 object->ce->properties_info_table != nullptr &&
                                                 i < object->ce->default_properties_count
                                             ? object->ce->properties_info_table[i]
                                             : nullptr;
        Label label;
        label.index = static_cast<zend_ulong>(i);
        if (info != nullptr) {
            label.name = info->name;
        }
        if (Z_TYPE(values[i]) != IS_UNDEF && Z_TYPE(values[i]) != IS_INDIRECT) {
            visit(&values[i], from, info != nullptr ? Edge::kProperty : Edge::kInside, label);
        }
    }
    if (table != nullptr) {
        bool is_closure = object->ce == zend_ce_closure;
        expand_table(table, from, is_closure ? Edge::kVariable : Edge::kProperty);
    }
}

// ---- paths -------------------------------------------------------------------------------------

std::string HeapWalk::path_of(uint32_t index) const {
    std::vector<const Node*> way;
    for (; index != kNone; index = nodes_[index].parent) {
        way.push_back(&nodes_[index]);
    }
    std::string out;
    for (size_t i = way.size(); i-- > 0;) {
        const Node& node = *way[i];
        switch (node.edge) {
            case Edge::kRoot:
                out += roots_[node.label.index];
                break;
            case Edge::kProperty:
                out.append("->").append(plain_name(node.label.name));
                break;
            case Edge::kVariable:
                out.append(" uses $").append(ZSTR_VAL(node.label.name));
                break;
            case Edge::kKey:
                out.append("['").append(ZSTR_VAL(node.label.name)).append("']");
                break;
            case Edge::kIndex:
                out.append("[").append(std::to_string(node.label.index)).append("]");
                break;
            case Edge::kInside:
                out.append("{").append(std::to_string(node.label.index)).append("}");
                break;
        }
    }
    return out;
}

std::string HeapWalk::path_of(const Holder& holder) const {
    std::string out = path_of(holder.node);
    if (holder.name != nullptr) {
        bool is_array = GC_TYPE(nodes_[holder.node].value) == IS_ARRAY;
        out.append(is_array ? "['" : "->").append(plain_name(holder.name));
        out.append(is_array ? "']" : "");
    }
    return out;
}

}  // namespace stampede::observe
