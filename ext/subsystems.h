// The steps named in the table of ext/module.cc, one line per subsystem. PHP thread, never parks.
#pragma once

#include "module.h"

namespace stampede::ext {

zend_result ini_minit(int type, int module_number);
zend_result ini_mshutdown(int type, int module_number);
zend_result process_end_minit(int type, int module_number);
zend_result log_messages_rinit(int type, int module_number);
zend_result constants_minit(int type, int module_number);
zend_result system_constants_minit(int type, int module_number);
zend_result functions_minit(int type, int module_number);
zend_result functions_rinit(int type, int module_number);
zend_result library_options_rinit(int type, int module_number);
zend_result library_options_rshutdown(int type, int module_number);
zend_result mime_type_minit(int type, int module_number);
zend_result constant_class_minit(int type, int module_number);
zend_result http_status_minit(int type, int module_number);
zend_result http_status_mshutdown(int type, int module_number);
zend_result exceptions_minit(int type, int module_number);
zend_result coroutine_minit(int type, int module_number);
zend_result coroutine_functions_minit(int type, int module_number);
zend_result coroutine_options_rshutdown(int type, int module_number);
zend_result channel_minit(int type, int module_number);
zend_result coroutine_socket_minit(int type, int module_number);
zend_result coroutine_client_minit(int type, int module_number);
zend_result coroutine_lock_minit(int type, int module_number);
zend_result client_minit(int type, int module_number);
zend_result client_rshutdown(int type, int module_number);
zend_result client_functions_minit(int type, int module_number);
zend_result scheduler_minit(int type, int module_number);
zend_result wait_group_minit(int type, int module_number);
zend_result barrier_minit(int type, int module_number);
zend_result runtime_hooks_minit(int type, int module_number);
zend_result runtime_hooks_rshutdown(int type, int module_number);
zend_result runtime_hooks_mshutdown(int type, int module_number);
zend_result calls_rshutdown(int type, int module_number);
zend_result hook_reports_minit(int type, int module_number);
zend_result worker_count_minit(int type, int module_number);
zend_result file_watch_minit(int type, int module_number);
zend_result object_counts_minit(int type, int module_number);
zend_result pool_metrics_minit(int type, int module_number);
zend_result heap_minit(int type, int module_number);
zend_result observe_minit(int type, int module_number);
zend_result observe_rshutdown(int type, int module_number);
zend_result observe_mshutdown(int type, int module_number);
zend_result checkpoint_minit(int type, int module_number);
zend_result request_loop_minit(int type, int module_number);
zend_result request_loop_rshutdown(int type, int module_number);
zend_result metrics_minit(int type, int module_number);
zend_result metrics_rinit(int type, int module_number);
zend_result trace_minit(int type, int module_number);
zend_result trace_rshutdown(int type, int module_number);
zend_result logging_minit(int type, int module_number);
zend_result compute_limit_minit(int type, int module_number);
zend_result compute_limit_rshutdown(int type, int module_number);
zend_result websocket_functions_minit(int type, int module_number);
zend_result process_minit(int type, int module_number);
zend_result renamed_functions_minit(int type, int module_number);
zend_result name_resolvers_minit(int type, int module_number);
zend_result name_resolvers_rshutdown(int type, int module_number);
zend_result value_functions_minit(int type, int module_number);
zend_result remote_object_functions_minit(int type, int module_number);
zend_result web_request_minit(int type, int module_number);
zend_result web_request_rinit(int type, int module_number);
zend_result web_request_rshutdown(int type, int module_number);
zend_result web_request_post_deactivate();
zend_result shell_functions_minit(int type, int module_number);
zend_result process_pool_minit(int type, int module_number);
zend_result process_signals_minit(int type, int module_number);
zend_result process_signals_rshutdown(int type, int module_number);
zend_result atomic_minit(int type, int module_number);
zend_result lock_minit(int type, int module_number);
zend_result table_minit(int type, int module_number);
zend_result timer_minit(int type, int module_number);
zend_result timer_rshutdown(int type, int module_number);
zend_result event_minit(int type, int module_number);
zend_result event_rshutdown(int type, int module_number);
zend_result library_minit(int type, int module_number);
zend_result library_mshutdown(int type, int module_number);
zend_result system_minit(int type, int module_number);
zend_result files_minit(int type, int module_number);
zend_result blocking_minit(int type, int module_number);
zend_result mysqli_link_minit(int type, int module_number);
zend_result loop_control_minit(int type, int module_number);
zend_result loop_control_rshutdown(int type, int module_number);
zend_result children_minit(int type, int module_number);
zend_result children_rinit(int type, int module_number);
zend_result resolver_minit(int type, int module_number);
zend_result resolver_rshutdown(int type, int module_number);
zend_result runtime_minit(int type, int module_number);
zend_result runtime_mshutdown(int type, int module_number);
zend_result runtime_rinit(int type, int module_number);
zend_result runtime_rshutdown(int type, int module_number);

}  // namespace stampede::ext

namespace stampede::classes {

zend_result pcntl_fork_minit(int type, int module_number);
zend_result known_strings_minit(int type, int module_number);
zend_result http_request_minit(int type, int module_number);
zend_result http_body_minit(int type, int module_number);
zend_result http_response_minit(int type, int module_number);
zend_result http_cookie_minit(int type, int module_number);
zend_result body_strings_rinit(int type, int module_number);
zend_result body_strings_rshutdown(int type, int module_number);
zend_result header_names_rshutdown(int type, int module_number);
zend_result websocket_frame_minit(int type, int module_number);
zend_result websocket_sending_rshutdown(int type, int module_number);
zend_result http_client_minit(int type, int module_number);
zend_result http2_client_minit(int type, int module_number);
zend_result http_functions_minit(int type, int module_number);
zend_result co_http_server_minit(int type, int module_number);
zend_result server_minit(int type, int module_number);
zend_result server_tasks_minit(int type, int module_number);
zend_result websocket_server_minit(int type, int module_number);
zend_result server_port_minit(int type, int module_number);
zend_result event_objects_minit(int type, int module_number);
zend_result redis_server_minit(int type, int module_number);

}  // namespace stampede::classes
