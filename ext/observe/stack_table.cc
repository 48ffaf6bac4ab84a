#include "ext/observe/stack_table.h"

#include <algorithm>

#include "zend/caller.h"
extern "C" {  // this header does not say so itself
#include "ext/json/php_json.h"
}
#include "zend_smart_str.h"

namespace stampede::observe {

namespace {

constexpr uint32_t kNoFrame = UINT32_MAX;
constexpr uint64_t kPrime = 0x9e3779b97f4a7c15;

uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * kPrime;
    return hash ^ (hash >> 29);
}

std::string_view text_of(const zend_string* string) { return {ZSTR_VAL(string), ZSTR_LEN(string)}; }

void append_json(std::string& out, std::string_view text) {
    zval value;
    smart_str encoded = {};
    ZVAL_STRINGL(&value, text.empty() ? "" : text.data(), text.size());
    (void)php_json_encode(
        &encoded, &value,
        PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE | PHP_JSON_INVALID_UTF8_SUBSTITUTE);
    zval_ptr_dtor(&value);
    zend_string* bytes = smart_str_extract(&encoded);
    out.append(text_of(bytes));
    zend_string_release(bytes);
}

std::string name_of(const zend_function& function) {
    const zend_string* name = function.common.function_name;
    if (name == nullptr) {
        return "{main}";  // the code of a file
    }
    std::string out;
    if (const zend_class_entry* scope = function.common.scope) {
        out.append(text_of(scope->name)).append("::");
    }
    return out.append(text_of(name));
}

}  // namespace

size_t StackTable::FrameHash::operator()(const FrameKey& key) const {
    uint64_t hash = mixed(key.line, reinterpret_cast<uintptr_t>(key.of_class));
    hash = mixed(hash, reinterpret_cast<uintptr_t>(key.function));
    return mixed(hash, reinterpret_cast<uintptr_t>(key.file));
}

uint32_t StackTable::new_frame(std::string_view name, std::string_view file, uint32_t line) {
    std::string json = "[";
    append_json(json, name);
    json += ',';
    append_json(json, file);
    json.append(",").append(std::to_string(line)).append("]");
    names_.push_back(std::move(json));
    return static_cast<uint32_t>(names_.size() - 1);
}

// A few more than there may be frames: texts are names of functions and of waits.
uint32_t StackTable::text_frame(std::string_view text) {
    auto found = texts_.find(std::string(text));
    if (found != texts_.end()) {
        return found->second;
    }
    if (texts_.size() >= kMostFrames) {
        return kNoFrame;
    }
    uint32_t number = new_frame(text, {}, 0);
    texts_.emplace(text, number);
    return number;
}

uint32_t StackTable::frame_of(const zend_execute_data* frame) {
    const zend_function* function = frame->func;
    bool is_user = ZEND_USER_CODE(function->type);
    FrameKey key = {function->common.scope, function->common.function_name, nullptr, 0};
    if (is_user) {
        key.file = function->op_array.filename;
        key.line = frame->opline != nullptr ? frame->opline->lineno : 0;
    }
    auto found = frames_.find(key);
    if (found != frames_.end()) {
        return found->second;
    }
    if (frames_.size() >= kMostFrames) {
        return kNoFrame;
    }
    uint32_t number = new_frame(
        name_of(*function), key.file != nullptr ? text_of(key.file) : std::string_view(), key.line);
    if (key.function != nullptr) {
        zend_string_addref(const_cast<zend_string*>(key.function));
    }
    if (key.file != nullptr) {
        zend_string_addref(const_cast<zend_string*>(key.file));
    }
    frames_.emplace(key, number);
    return number;
}

void StackTable::add(const zend_execute_data* frame, std::string_view leaf, Weight weight) {
    present_.clear();
    if (!leaf.empty()) {
        present_.push_back(text_frame(leaf));
    }
    for (; frame != nullptr; frame = frame->prev_execute_data) {
        if (frame->func == nullptr) {
            continue;
        }
        if (present_.size() >= kMostDepth) {
            present_.push_back(text_frame("[outer calls]"));
            break;
        }
        present_.push_back(frame_of(frame));
    }
    bool fits = std::find(present_.begin(), present_.end(), kNoFrame) == present_.end();
    if (!fits || present_.empty()) {
        present_.assign(1, text_frame("[other]"));
    }
    add_stack(weight);
}

bool StackTable::is_present(const Stack& stack) const {
    return stack.depth == present_.size() &&
           std::equal(present_.rbegin(), present_.rend(), numbers_.begin() + stack.begin);
}

void StackTable::add_stack(Weight weight) {
    uint64_t hash = present_.size();
    for (uint32_t number : present_) {
        hash = mixed(hash, number);
    }
    for (auto found = by_hash_.find(hash); found != by_hash_.end(); found = by_hash_.find(++hash)) {
        Stack& stack = stacks_[found->second];
        if (is_present(stack)) {
            stack.weight += weight;
            return;
        }
    }
    if (stacks_.size() >= kMostStacks) {
        bool is_other = present_.size() == 1 && present_[0] == text_frame("[other]");
        if (!is_other) {  // which has a place that is kept for it
            present_.assign(1, text_frame("[other]"));
            add_stack(weight);
            return;
        }
    }
    by_hash_.emplace(hash, static_cast<uint32_t>(stacks_.size()));
    stacks_.push_back(
        {static_cast<uint32_t>(numbers_.size()), static_cast<uint32_t>(present_.size()), weight});
    numbers_.insert(numbers_.end(), present_.rbegin(), present_.rend());
}

std::string StackTable::take_json() {
    std::string out = "\"frames\":[";
    for (const std::string& name : names_) {
        if (out.back() != '[') {
            out += ',';
        }
        out += name;
    }
    out += "],\"stacks\":[";
    for (const Stack& stack : stacks_) {
        if (out.back() != '[') {
            out += ',';
        }
        out.append("[").append(std::to_string(stack.weight.cpu)).append(",");
        out.append(std::to_string(stack.weight.wall)).append(",[");
        for (uint32_t i = 0; i < stack.depth; i++) {
            out.append(i == 0 ? "" : ",").append(std::to_string(numbers_[stack.begin + i]));
        }
        out += "]]";
    }
    out += ']';
    clear();
    return out;
}

void StackTable::clear() {
    for (const auto& [key, number] : frames_) {
        if (key.function != nullptr) {
            zend_string_release(const_cast<zend_string*>(key.function));
        }
        if (key.file != nullptr) {
            zend_string_release(const_cast<zend_string*>(key.file));
        }
    }
    frames_.clear();
    texts_.clear();
    names_.clear();
    by_hash_.clear();
    stacks_.clear();
    numbers_.clear();
}

}  // namespace stampede::observe
