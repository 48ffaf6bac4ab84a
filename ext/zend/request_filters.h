// filter_input(), filter_input_array() and filter_has_var(): PHP's filter extension keeps what they
// look up when a web server hands it the variables of a request. Here none does: they look at those
// of the WebRequest. Once per process, PHP thread, never parks.
#pragma once

namespace stampede::zend {

void install_request_filters();

}  // namespace stampede::zend
