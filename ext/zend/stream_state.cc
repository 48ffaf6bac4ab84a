#include "zend/stream_state.h"

#include <cstring>
#include <utility>

#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"

namespace stampede::zend {

namespace {

// Every function that is given no context makes an empty default one: that has nothing to copy.
php_stream_context* copy_of(php_stream_context* context) {
    if (context == nullptr || Z_TYPE(context->options) != IS_ARRAY ||
        zend_hash_num_elements(Z_ARRVAL(context->options)) == 0) {
        return nullptr;
    }
    php_stream_context* copy = php_stream_context_alloc();
    zval_ptr_dtor(&copy->options);
    ZVAL_ARR(&copy->options, zend_array_dup(Z_ARRVAL(context->options)));
    return copy;
}

// Made as the engine makes such a table, whose entries nobody owns.
HashTable* copy_of(HashTable* table) {
    if (table == nullptr) {
        return nullptr;
    }
    HashTable* copy;
    ALLOC_HASHTABLE(copy);
    zend_hash_init(copy, zend_hash_num_elements(table), nullptr, nullptr, false);
    zend_hash_copy(copy, table, nullptr);
    return copy;
}

void destroy(HashTable*& table) {
    if (table != nullptr) {
        zend_hash_destroy(table);
        FREE_HASHTABLE(table);
        table = nullptr;
    }
}

void release(php_stream_context*& context) {
    if (context != nullptr) {
        zend_list_delete(std::exchange(context, nullptr)->res);
    }
}

bool is_of_application(const php_stream_wrapper* wrapper) {
    return wrapper->wops->label != nullptr && strcmp(wrapper->wops->label, "user-space") == 0;
}

// A wrapper of the application is the value of a resource, to which streams have references.
void release_wrapper(const php_stream_wrapper* wrapper) {
    zval* found;
    ZEND_HASH_FOREACH_VAL(&EG(regular_list), found) {
        if (Z_RES_P(found)->ptr == wrapper) {
            zend_list_delete(Z_RES_P(found));
            return;
        }
    }
    ZEND_HASH_FOREACH_END();
}

void release_new_wrappers(HashTable* wrappers, HashTable* known) {
    zend_string* name;
    void* found;
    ZEND_HASH_FOREACH_STR_KEY_PTR(wrappers, name, found) {
        auto* wrapper = static_cast<php_stream_wrapper*>(found);
        if (is_of_application(wrapper) && zend_hash_find_ptr(known, name) != wrapper) {
            release_wrapper(wrapper);
        }
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace

// The entries of the map of filters cannot be copied, so filters of the process stay shared.
StreamState::StreamState()
    : default_context_(copy_of(FG(default_context))),
      wrappers_(copy_of(FG(stream_wrappers))),
      shares_filters_(BG(user_filter_map) != nullptr) {}

StreamState::~StreamState() {
    release(default_context_);
    destroy(wrappers_);
    destroy(filters_);
    destroy(filter_classes_);
}

void StreamState::swap() {
    std::swap(FG(default_context), default_context_);
    std::swap(FG(stream_wrappers), wrappers_);
    if (!shares_filters_) {
        std::swap(FG(stream_filters), filters_);
        std::swap(BG(user_filter_map), filter_classes_);
    }
}

void StreamState::forget_installed() {
    release(FG(default_context));
    if (FG(stream_wrappers) != nullptr) {
        release_new_wrappers(
            FG(stream_wrappers),
            wrappers_ != nullptr ? wrappers_ : php_stream_get_url_stream_wrappers_hash_global());
        destroy(FG(stream_wrappers));
    }
    if (!shares_filters_) {
        destroy(FG(stream_filters));
        destroy(BG(user_filter_map));
    }
}

}  // namespace stampede::zend
