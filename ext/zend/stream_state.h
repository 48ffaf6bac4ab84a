// What functions of PHP do to streams for the rest of a script: the default context, wrappers and
// filters by name. A request has its own, which PHP's web servers forget at its end. PHP thread,
// never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

class StreamState {
public:
    // A request's first state, made while the globals are the process's.
    StreamState();
    StreamState(const StreamState&) = delete;
    StreamState& operator=(const StreamState&) = delete;
    ~StreamState();

    void swap();
    // At the end of the running request: its globals are as if it had done nothing.
    void forget_installed();

private:
    php_stream_context* default_context_ = nullptr;
    HashTable* wrappers_ = nullptr;
    HashTable* filters_ = nullptr;
    HashTable* filter_classes_ = nullptr;
    bool shares_filters_;
};

}  // namespace stampede::zend
