#include "runtime/inheritance.h"

#include <utility>

namespace stampede::runtime {

Inheritance Inheritance::copy() const {
    Inheritance fresh = *this;
    if (fresh.value != nullptr) {
        GC_ADDREF(fresh.value);
    }
    if (fresh.record != nullptr) {
        fresh.record->hold();
    }
    return fresh;
}

void Inheritance::set_value(zend_object* fresh) {
    if (fresh != nullptr) {
        GC_ADDREF(fresh);
    }
    zend_object* former = std::exchange(value, fresh);
    if (former != nullptr) {
        OBJ_RELEASE(former);
    }
}

void Inheritance::set_record(metrics::RequestRecord* fresh) {
    metrics::RequestRecord* former = std::exchange(record, fresh);
    if (former != nullptr) {
        former->release();
    }
}

// The record comes last, so that what a destructor computes is still the request's.
void Inheritance::drop() {
    set_value(nullptr);
    if (record != nullptr) {
        metrics::charge(record);
        set_record(nullptr);
    }
}

void Inheritance::abandon() {
    value = nullptr;
    set_record(nullptr);
}

}  // namespace stampede::runtime
