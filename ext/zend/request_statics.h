// Static properties of classes that belong to a request, as superglobals do: what each request
// keeps in them is exchanged with its RequestState. Which ones is said once for the process, before
// there are requests. PHP thread; only autoloaders may
// park.
#pragma once

#include <vector>

#include "zend/php.h"

namespace stampede::zend {

// The values of the properties that are not installed: a request's while another one or none is
// live, the process's while the request is live.
class RequestStatics {
public:
    // A request's first values, made while the process's are installed: the same.
    RequestStatics();
    RequestStatics(const RequestStatics&) = delete;
    RequestStatics& operator=(const RequestStatics&) = delete;
    ~RequestStatics();

    void swap();
    // At the end of a request, while its values are installed: the process's take their place, and
    // the request's are released, whose destructors run PHP code.
    void release_installed();

private:
    std::vector<zval> values_;
};

enum class StaticsAdded { kYes, kUnknown, kTooLate };

// The class is loaded when it is not yet; autoloaders may throw. A property that is not known yet
// is too late once a request has begun that has not ended: it has no value for it.
StaticsAdded add_request_static(zend_string* class_name, zend_string* property);
// At the end of the script, when no request is live: the properties go with their classes.
void forget_request_statics();

}  // namespace stampede::zend
