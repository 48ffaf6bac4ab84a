#include "zend/xml_state.h"

#include <utility>

#include "zend_smart_str.h"

namespace stampede::zend {

namespace {

// How the globals of the module begin, in all versions: its header needs those of libxml2.
struct XmlGlobals {
    zval context;
    smart_str text;
    zend_llist* errors;
};

XmlGlobals& globals() {
    static auto* module = static_cast<zend_module_entry*>(
        zend_hash_str_find_ptr(&module_registry, ZEND_STRL("libxml")));
    return *static_cast<XmlGlobals*>(module->globals_ptr);
}

// Makes or destroys the list of errors where it is not as wanted, and tells libxml2 where errors
// go.
void keep_errors(bool wanted) {
    zval name, argument, result;
    ZVAL_STRING(&name, "libxml_use_internal_errors");
    ZVAL_BOOL(&argument, wanted);
    ZVAL_UNDEF(&result);
    (void)call_user_function(nullptr, nullptr, &name, &result, 1, &argument);
    zval_ptr_dtor(&result);
    zval_ptr_dtor(&name);
}

}  // namespace

void XmlState::keep() {
    if (changed_) {
        return;
    }
    changed_ = true;
    ZVAL_COPY(&context_, &globals().context);
    errors_ = std::exchange(globals().errors, nullptr);
    if (errors_ != nullptr) {
        keep_errors(true);
    }
}

void XmlState::swap() {
    if (changed_) {
        std::swap(globals().context, context_);
        std::swap(globals().errors, errors_);
        if ((globals().errors == nullptr) != (errors_ == nullptr)) {
            keep_errors(globals().errors != nullptr);
        }
    }
}

void XmlState::forget_installed() {
    if (changed_) {
        keep_errors(false);
        zval_ptr_dtor(&globals().context);
        ZVAL_UNDEF(&globals().context);
    }
}

}  // namespace stampede::zend
