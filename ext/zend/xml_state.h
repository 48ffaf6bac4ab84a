// What functions of libxml set for the rest of a script: whether errors are kept and which there
// are, and the context of streams. A request that calls such a function gets its own. PHP thread,
// never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

class XmlState {
public:
    XmlState() { ZVAL_UNDEF(&context_); }
    XmlState(const XmlState&) = delete;
    XmlState& operator=(const XmlState&) = delete;
    ~XmlState() { zval_ptr_dtor(&context_); }

    // Before the running request changes it.
    void keep();
    void swap();
    // At the end of the running request.
    void forget_installed();

private:
    bool changed_ = false;
    zval context_;
    zend_llist* errors_ = nullptr;  // null: they are reported, not kept
};

}  // namespace stampede::zend
