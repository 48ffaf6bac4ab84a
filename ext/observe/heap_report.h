// What the operator is told of this process's heap: how many objects of each class there are and
// what they take, the largest collections by their paths, and what of it has grown since a moment
// that he has marked. PHP thread, never parks.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "zend/php.h"

namespace stampede::observe {

enum class HeapAction : uint8_t {
    kSummary,
    kMark,    // remember the sizes of now
    kGrowth,  // what is larger than it was then
    kForget,
};

struct HeapRequest {
    HeapAction action;
    Nanos pause;  // how long the process may be held up
    int64_t session;
};
// The one number that it comes as: the action in two bits, milliseconds in 14, the session.
HeapRequest heap_request_of(int64_t number);

void report_heap(const HeapRequest& request, zval* out);

// For measuring each request: by the path of each collection and the name of each class ("class
// NAME"), its unit and size. False: there is too much for that time.
bool heap_sizes(Nanos pause, zval* out);
// By the name of each class that is given, the path to its newest instance.
void heap_paths(HashTable* classes, Nanos pause, zval* out);

}  // namespace stampede::observe
