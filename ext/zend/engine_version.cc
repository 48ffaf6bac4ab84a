#include "zend/engine_version.h"

namespace stampede::zend {

// To 8.5 the engine makes the table with the first class that is loaded and keeps it, empty, from
// then on: null means "never made". give_back() therefore has to destroy the table that was made
// meanwhile, and keeps that table when there is nothing to give back. Names are held by the tables,
// so none is copied.
#if PHP_VERSION_ID < 80600

namespace {

void destroy(HashTable* names) {
    if (names != nullptr) {
        zend_hash_destroy(names);
        FREE_HASHTABLE(names);
    }
}

}  // namespace

void ClassNamesUnderWay::take() {
    names_ = EG(in_autoload);
    EG(in_autoload) = nullptr;
}

void ClassNamesUnderWay::give_back() {
    if (names_ != nullptr) {
        destroy(EG(in_autoload));
        EG(in_autoload) = names_;
    }
}

void ClassNamesUnderWay::drop() { destroy(names_); }

#else

void ClassNamesUnderWay::take() {
    any_ = zend_hash_num_elements(&EG(autoload_current_classnames)) > 0;
    if (any_) {
        names_ = EG(autoload_current_classnames);
        zend_hash_init(&EG(autoload_current_classnames), 8, nullptr, nullptr, 0);
    }
}

void ClassNamesUnderWay::give_back() {
    if (any_) {
        zend_hash_destroy(&EG(autoload_current_classnames));
        EG(autoload_current_classnames) = names_;
    }
}

void ClassNamesUnderWay::drop() {
    if (any_) {
        zend_hash_destroy(&names_);
    }
}

#endif

}  // namespace stampede::zend
