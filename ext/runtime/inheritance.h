// What a coroutine has from the code that has created it, for traces: a value of PHP, which each
// coroutine may set for itself and for those that it creates from then on, and the record of the
// request that it works for, which they share. Part of a side; PHP thread, never parks.
#pragma once

#include "ext/metrics/request_record.h"
#include "zend/php.h"

namespace stampede::runtime {

struct Inheritance {
    zend_object* value = nullptr;              // a reference
    metrics::RequestRecord* record = nullptr;  // a reference

    bool is_empty() const {
        return (reinterpret_cast<uintptr_t>(value) | reinterpret_cast<uintptr_t>(record)) == 0;
    }
    // For a coroutine that is being created.
    Inheritance copy() const;
    // A reference of its own; null: none. The former value's destructor may run.
    void set_value(zend_object* fresh);
    // Takes the reference over.
    void set_record(metrics::RequestRecord* fresh);
    // At the end of the coroutine, while PHP code may still run.
    void drop();
    // After a fatal error: the memory of the value goes with the script's.
    void abandon();
};

}  // namespace stampede::runtime
