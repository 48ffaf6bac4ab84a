// Made by tools/gen-library from ext/library/*.php; not to be edited. F(symbol, class, file) for
// each, sorted by class. The digests make the table change with the files, and with it what is
// compiled from it.
#pragma once

// clang-format off
#define STAMPEDE_LIBRARY(F) \
    F(database_call, "stampede\\database\\call", "database/call.php") /* 0698ad555033 */ \
    F(database_lob_stream, "stampede\\database\\lobstream", "database/lob_stream.php") /* bfec10b8ae24 */ \
    F(database_reconnects, "stampede\\database\\reconnects", "database/reconnects.php") /* ca4be5d746fb */ \
    F(database_redis_collections, "stampede\\database\\rediscollections", "database/redis_collections.php") /* 06eb94026a85 */ \
    F(database_redis_keys, "stampede\\database\\rediskeys", "database/redis_keys.php") /* b9c60392307b */ \
    F(database_redis_reply, "stampede\\database\\redisreply", "database/redis_reply.php") /* 9eb7e15c6828 */ \
    F(stampede_http_event_stream, "stampede\\http\\eventstream", "stampede/http/event_stream.php") /* b60e4f1a3e20 */ \
    F(stampede_http_response_body, "stampede\\http\\responsebody", "stampede/http/response_body.php") /* 34c9aad7e04b */ \
    F(curl_functions, "stampede\\library\\curlfunctions", "curl/functions.php") /* 71046a9d3889 */ \
    F(name_resolver_resolvers, "stampede\\library\\nameresolvers", "name_resolver/resolvers.php") /* 576f9e3ef268 */ \
    F(http_requests, "stampede\\library\\requests", "http/requests.php") /* 431a65dc0709 */ \
    F(stampede_shell, "stampede\\library\\shell", "stampede/shell.php") /* 9eecc38aa94f */ \
    F(stampede_value_functions, "stampede\\library\\valuefunctions", "stampede/value_functions.php") /* 4a9b29f6dd1c */ \
    F(stampede_lease, "stampede\\pool\\lease", "stampede/lease.php") /* d6723380fde0 */ \
    F(values_array_object, "swoole\\arrayobject", "values/array_object.php") /* 597de1491c90 */ \
    F(connection_pool, "swoole\\connectionpool", "connection_pool.php") /* 03b99fdaf2e9 */ \
    F(curl_coroutine_exception, "swoole\\coroutine\\curl\\exception", "curl/coroutine_exception.php") /* 76e46ee2d41c */ \
    F(coroutine_fastcgi_client, "swoole\\coroutine\\fastcgi\\client", "coroutine/fastcgi_client.php") /* abe93f99090a */ \
    F(coroutine_fastcgi_client_exception, "swoole\\coroutine\\fastcgi\\client\\exception", "coroutine/fastcgi_client_exception.php") /* f89f33d3fdd4 */ \
    F(coroutine_fastcgi_proxy, "swoole\\coroutine\\fastcgi\\proxy", "coroutine/fastcgi_proxy.php") /* 217a08d36989 */ \
    F(http_http2_client_exception, "swoole\\coroutine\\http2\\client\\exception", "http/http2_client_exception.php") /* 078631cd0284 */ \
    F(http_multiplex_client, "swoole\\coroutine\\http2\\multiplexclient", "http/multiplex_client.php") /* d0a8ed8bb3e7 */ \
    F(http_client_exception, "swoole\\coroutine\\http\\client\\exception", "http/client_exception.php") /* e07f57e7d4a9 */ \
    F(http_client_proxy, "swoole\\coroutine\\http\\clientproxy", "http/client_proxy.php") /* 2900049dfb8f */ \
    F(coroutine_mysql, "swoole\\coroutine\\mysql", "coroutine/mysql.php") /* 7e6d64ffa71a */ \
    F(coroutine_mysql_exception, "swoole\\coroutine\\mysql\\exception", "coroutine/mysql/exception.php") /* 1c55a2d9adb8 */ \
    F(coroutine_mysql_statement, "swoole\\coroutine\\mysql\\statement", "coroutine/mysql/statement.php") /* 9e368f0bd765 */ \
    F(coroutine_postgresql, "swoole\\coroutine\\postgresql", "coroutine/postgresql.php") /* 2ba2bb3d3138 */ \
    F(coroutine_postgresql_statement, "swoole\\coroutine\\postgresqlstatement", "coroutine/postgresql_statement.php") /* 59d595741d2b */ \
    F(coroutine_redis, "swoole\\coroutine\\redis", "coroutine/redis.php") /* eca452aac232 */ \
    F(coroutine_server, "swoole\\coroutine\\server", "coroutine/server.php") /* aab042fbdd61 */ \
    F(coroutine_server_connection, "swoole\\coroutine\\server\\connection", "coroutine/server_connection.php") /* e57e4f8a9a1a */ \
    F(curl_exception, "swoole\\curl\\exception", "curl/exception.php") /* eaf0786deb54 */ \
    F(curl_handler, "swoole\\curl\\handler", "curl/handler.php") /* 9a5bafb7ca21 */ \
    F(database_detects_lost_connections, "swoole\\database\\detectslostconnections", "database/detects_lost_connections.php") /* 81a833d56f70 */ \
    F(database_mysqli_config, "swoole\\database\\mysqliconfig", "database/mysqli_config.php") /* 7e7e9f18063a */ \
    F(database_mysqli_exception, "swoole\\database\\mysqliexception", "database/mysqli_exception.php") /* 924f8afc6128 */ \
    F(database_mysqli_pool, "swoole\\database\\mysqlipool", "database/mysqli_pool.php") /* 056b6eedde11 */ \
    F(database_mysqli_proxy, "swoole\\database\\mysqliproxy", "database/mysqli_proxy.php") /* 8c89dcb65769 */ \
    F(database_mysqli_statement_proxy, "swoole\\database\\mysqlistatementproxy", "database/mysqli_statement_proxy.php") /* d9748bacfa72 */ \
    F(database_object_proxy, "swoole\\database\\objectproxy", "database/object_proxy.php") /* 376b44e9f0f9 */ \
    F(database_pdo_config, "swoole\\database\\pdoconfig", "database/pdo_config.php") /* 0c65fd17748a */ \
    F(database_pdo_pool, "swoole\\database\\pdopool", "database/pdo_pool.php") /* e918f52879fe */ \
    F(database_pdo_proxy, "swoole\\database\\pdoproxy", "database/pdo_proxy.php") /* cdb2f098c84c */ \
    F(database_pdo_statement_proxy, "swoole\\database\\pdostatementproxy", "database/pdo_statement_proxy.php") /* 74d6d0c17eb0 */ \
    F(database_redis_config, "swoole\\database\\redisconfig", "database/redis_config.php") /* 18e7a5350ec8 */ \
    F(database_redis_pool, "swoole\\database\\redispool", "database/redis_pool.php") /* a0d40031cbd0 */ \
    F(values_array_key_not_exists, "swoole\\exception\\arraykeynotexists", "values/array_key_not_exists.php") /* fac8ca9b9db6 */ \
    F(fastcgi_fastcgi, "swoole\\fastcgi", "fastcgi/fastcgi.php") /* a524a722d3cf */ \
    F(fastcgi_frame_parser, "swoole\\fastcgi\\frameparser", "fastcgi/frame_parser.php") /* d415516c97ee */ \
    F(fastcgi_http_request, "swoole\\fastcgi\\httprequest", "fastcgi/http_request.php") /* 6de211a788b9 */ \
    F(fastcgi_http_response, "swoole\\fastcgi\\httpresponse", "fastcgi/http_response.php") /* 0e8735feef1c */ \
    F(fastcgi_message, "swoole\\fastcgi\\message", "fastcgi/message.php") /* b5882b2b166b */ \
    F(fastcgi_record, "swoole\\fastcgi\\record", "fastcgi/record.php") /* caa45278978e */ \
    F(fastcgi_record_abort_request, "swoole\\fastcgi\\record\\abortrequest", "fastcgi/record_abort_request.php") /* 50e6ac5f348a */ \
    F(fastcgi_record_begin_request, "swoole\\fastcgi\\record\\beginrequest", "fastcgi/record_begin_request.php") /* c5302bac63cc */ \
    F(fastcgi_record_data, "swoole\\fastcgi\\record\\data", "fastcgi/record_data.php") /* 0843b79aa3f4 */ \
    F(fastcgi_record_end_request, "swoole\\fastcgi\\record\\endrequest", "fastcgi/record_end_request.php") /* a239349bfa90 */ \
    F(fastcgi_record_get_values, "swoole\\fastcgi\\record\\getvalues", "fastcgi/record_get_values.php") /* 2ad20893c8b6 */ \
    F(fastcgi_record_get_values_result, "swoole\\fastcgi\\record\\getvaluesresult", "fastcgi/record_get_values_result.php") /* f203f123c5e5 */ \
    F(fastcgi_record_params, "swoole\\fastcgi\\record\\params", "fastcgi/record_params.php") /* 8d69bf63e078 */ \
    F(fastcgi_record_stderr, "swoole\\fastcgi\\record\\stderr", "fastcgi/record_stderr.php") /* 329bd41cc22d */ \
    F(fastcgi_record_stdin, "swoole\\fastcgi\\record\\stdin", "fastcgi/record_stdin.php") /* 59c6aed9635b */ \
    F(fastcgi_record_stdout, "swoole\\fastcgi\\record\\stdout", "fastcgi/record_stdout.php") /* c73b91b058f2 */ \
    F(fastcgi_record_unknown_type, "swoole\\fastcgi\\record\\unknowntype", "fastcgi/record_unknown_type.php") /* cd5d1ad0197e */ \
    F(fastcgi_request, "swoole\\fastcgi\\request", "fastcgi/request.php") /* cd0535f58529 */ \
    F(fastcgi_response, "swoole\\fastcgi\\response", "fastcgi/response.php") /* 00654730391d */ \
    F(values_multibyte_string_object, "swoole\\multibytestringobject", "values/multibyte_string_object.php") /* e455b10d801d */ \
    F(name_resolver_name_resolver, "swoole\\nameresolver", "name_resolver/name_resolver.php") /* a5fa48f4da82 */ \
    F(name_resolver_cluster, "swoole\\nameresolver\\cluster", "name_resolver/cluster.php") /* 39bbe9915463 */ \
    F(name_resolver_consul, "swoole\\nameresolver\\consul", "name_resolver/consul.php") /* 35b9bafc02a1 */ \
    F(name_resolver_context, "swoole\\nameresolver\\context", "name_resolver/context.php") /* c296627871ed */ \
    F(name_resolver_exception, "swoole\\nameresolver\\exception", "name_resolver/exception.php") /* 5bd0df5a75cf */ \
    F(name_resolver_nacos, "swoole\\nameresolver\\nacos", "name_resolver/nacos.php") /* e1898e977142 */ \
    F(name_resolver_redis, "swoole\\nameresolver\\redis", "name_resolver/redis.php") /* a6072df60b1e */ \
    F(object_proxy, "swoole\\objectproxy", "object_proxy.php") /* bbabb584cecb */ \
    F(process_manager, "swoole\\process\\manager", "process/manager.php") /* 7bd3322d48a3 */ \
    F(server_helper, "swoole\\server\\helper", "server/helper.php") /* ece6e37de10e */ \
    F(values_string_object, "swoole\\stringobject", "values/string_object.php") /* 2d61d7edc2bf */
// clang-format on
