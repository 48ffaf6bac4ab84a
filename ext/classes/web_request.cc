// Stampede\WebRequest: the methods. PHP thread; what they run may park.
#include "zend/web_request.h"

#include <unistd.h>

#include "subsystems.h"
#include "zend/process_state.h"
#include "zend/throw.h"

#include "stubs/web_request_arginfo.h"

using namespace stampede;

namespace {

bool ends_process = false;

bool refuse_without_request() {
    if (!zend::web_request_under_way()) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "no request is under way: call Stampede\\WebRequest::begin() first");
        return true;
    }
    return false;
}

}  // namespace

ZEND_METHOD(Stampede_WebRequest, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_WebRequest, begin) {
    zend::WebRequestFacts facts;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(7, 7)
        Z_PARAM_STR(facts.method)
        Z_PARAM_STR(facts.uri)
        Z_PARAM_STR(facts.query)
        Z_PARAM_STR(facts.content_type)
        Z_PARAM_STR(facts.cookies)
        Z_PARAM_STR(facts.body)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    zend::Callable output = zend::Callable::hold(fci, fcc);
    if (!zend::begin_web_request(facts, output)) {
        output.release();
        zend::throw_error(zend::error_classes.exception, 0,
                          "a request is under way already in this process");
    }
}

ZEND_METHOD(Stampede_WebRequest, run) {
    zend_string* file;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_PATH_STR(file)
    ZEND_PARSE_PARAMETERS_END();
    if (!refuse_without_request()) {
        zend::run_as_main_script(file, return_value);
    }
}

ZEND_METHOD(Stampede_WebRequest, end) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!refuse_without_request()) {
        zend::end_web_request();
    }
}

ZEND_METHOD(Stampede_WebRequest, endProcessToo) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ends_process = true;
}

namespace stampede::ext {

zend_result web_request_minit(int, int) {
    zend_class_entry* ce = register_class_Stampede_WebRequest();
    ce->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    return SUCCESS;
}

zend_result web_request_rshutdown(int, int) {
    zend::abandon_web_request();
    return SUCCESS;
}

zend_result web_request_post_deactivate() {
    if (ends_process) {
        _exit(zend::exit_status());
    }
    return SUCCESS;
}

}  // namespace stampede::ext
