dnl The extension's build for phpize: one variable per folder, one file per line, in alphabetical order.
dnl `make build` runs it in build/; plain `phpize && ./configure && make` works too.

PHP_ARG_ENABLE([stampede],
  [whether to enable Stampede],
  [AS_HELP_STRING([--enable-stampede], [Enable the Stampede application server])],
  [yes])

PHP_ARG_ENABLE([stampede-debug],
  [whether to build Stampede with assertions and sanitizers],
  [AS_HELP_STRING([--enable-stampede-debug], [Assertions, AddressSanitizer and UBSan])],
  [no], [no])

PHP_ARG_ENABLE([stampede-werror],
  [whether compiler warnings are errors],
  [AS_HELP_STRING([--enable-stampede-werror], [Treat warnings as errors])],
  [no], [no])

PHP_ARG_ENABLE([stampede-precompiled],
  [whether to parse common headers once],
  [AS_HELP_STRING([--enable-stampede-precompiled], [Precompile common headers: a build in less time])],
  [no], [no])

if test "$PHP_STAMPEDE" != "no"; then
  if test "$PHP_THREAD_SAFETY" = "yes"; then
    AC_MSG_ERROR([Stampede runs one PHP thread per worker process: build it against a non-thread-safe (NTS) PHP.])
  fi

  PHP_REQUIRE_CXX()

dnl ---- sources -------------------------------------------------------------------------------

  stampede_base="\
  "

  stampede_os="\
    src/os/alarm.cc \
    src/os/beneath.cc \
    src/os/checkpoint.cc \
    src/os/children.cc \
    src/os/child_process.cc \
    src/os/datagrams.cc \
    src/os/epoll.cc \
    src/os/fault_handler.cc \
    src/os/fd.cc \
    src/os/main_stack.cc \
    src/os/file.cc \
    src/os/file_io.cc \
    src/os/file_watch.cc \
    src/os/futex.cc \
    src/os/heap.cc \
    src/os/host.cc \
    src/os/known_paths.cc \
    src/os/line_writer.cc \
    src/os/log.cc \
    src/os/log_object.cc \
    src/os/output_collector.cc \
    src/os/memory_file.cc \
    src/os/message_files.cc \
    src/os/mapped_temporary.cc \
    src/os/mappings.cc \
    src/os/memory_image.cc \
    src/os/message_queue.cc \
    src/os/mmap.cc \
    src/os/open_files.cc \
    src/os/packet_pair.cc \
    src/os/path_changes.cc \
    src/os/process.cc \
    src/os/process_baseline.cc \
    src/os/ring.cc \
    src/os/service_manager.cc \
    src/os/signal.cc \
    src/os/signal_tap.cc \
    src/os/socket.cc \
    src/os/socket_io.cc \
    src/os/spool.cc \
    src/os/stack_slabs.cc \
    src/os/stuck_thread.cc \
    src/os/switch_check.cc \
    src/os/thread.cc \
    src/os/thread_state.cc \
    src/os/temporary.cc \
    src/os/working_directory.cc \
  "

  stampede_loop="\
    src/loop/epoll_poller.cc \
    src/loop/file_queue.cc \
    src/loop/loop.cc \
    src/loop/memory_keeper.cc \
    src/loop/deferred_watches.cc \
    src/loop/shared_watch.cc \
    src/loop/timer_wheel.cc \
    src/loop/word_watcher.cc \
    src/loop/worker_pool.cc \
  "

  stampede_net="\
    src/net/connection.cc \
    src/net/dns_channel.cc \
    src/net/hub.cc \
    src/net/hosts_file.cc \
    src/net/resolver.cc \
    src/net/tls_transport.cc \
    src/net/write_queue.cc \
  "

  stampede_proto="\
    src/proto/coding/accept.cc \
    src/proto/coding/crc32.cc \
    src/proto/coding/decoder.cc \
    src/proto/coding/encoder.cc \
    src/proto/frame/frame.cc \
    src/proto/frame/redis.cc \
    src/proto/http/range.cc \
    src/proto/http/conditional.cc \
    src/proto/http/cookie.cc \
    src/proto/http/date.cc \
    src/proto/http/message.cc \
    src/proto/http/mime.cc \
    src/proto/http/multipart.cc \
    src/proto/http/query.cc \
    src/proto/http/request_head.cc \
    src/proto/http/response_rules.cc \
    src/proto/http/secrets.cc \
    src/proto/http/status.cc \
    src/proto/http/target.cc \
    src/proto/http/uri.cc \
    src/proto/http1/response_parser.cc \
    src/proto/http1/chunked.cc \
    src/proto/http1/framing.cc \
    src/proto/http1/parser_avx2.cc \
    src/proto/http1/parser_ssse3.cc \
    src/proto/http1/request_parser.cc \
    src/proto/http1/response_writer.cc \
    src/proto/http2/callbacks.cc \
    src/proto/http2/fields.cc \
    src/proto/http2/memory.cc \
    src/proto/http2/session.cc \
    src/proto/ws/deflate.cc \
    src/proto/ws/deflate_memory.cc \
    src/proto/ws/frame.cc \
    src/proto/ws/handshake.cc \
    src/proto/ws/reader.cc \
    src/proto/ws/utf8.cc \
    src/proto/ws/writer.cc \
    src/proto/proxy/address.cc \
    src/proto/proxy/forwarded.cc \
    src/proto/proxy/header.cc \
    src/proto/proxy/http_connect.cc \
    src/proto/proxy/socks5.cc \
  "

  stampede_client="\
    src/client/cookies.cc \
    src/client/http1/multipart_writer.cc \
    src/client/http1/request_writer.cc \
    src/client/http1/response_reader.cc \
    src/client/http1/websocket_upgrade.cc \
    src/client/http2/connection.cc \
    src/client/http2/request_fields.cc \
    src/client/origin.cc \
  "

  stampede_tls="\
    src/tls/context.cc \
    src/tls/name_proofs.cc \
    src/tls/server_names.cc \
    src/tls/session.cc \
    src/tls/socket_bio.cc \
    src/tls/ticket_keys.cc \
  "

  stampede_metrics="\
    src/metrics/board.cc \
    src/metrics/families.cc \
    src/metrics/http.cc \
    src/metrics/text.cc \
    ext/metrics/pools.cc \
    ext/metrics/present.cc \
    ext/metrics/request_record.cc \
    ext/metrics/waits.cc \
  "

  stampede_observe="\
    ext/observe/growth.cc \
    ext/observe/heap_report.cc \
    ext/observe/heap_walk.cc \
    ext/observe/profiler.cc \
    ext/observe/stack_table.cc \
    ext/observe/subsystem.cc \
  "

  stampede_shm="\
    src/shm/address_counts.cc \
    src/shm/presence.cc \
    src/shm/scoreboard.cc \
    src/shm/shared_lock.cc \
    src/shm/table.cc \
    src/shm/task_board.cc \
  "

  stampede_proc="\
    src/proc/boot_processes.cc \
    src/proc/bus.cc \
    src/proc/control.cc \
    src/proc/family.cc \
    src/proc/iteration_watch.cc \
    src/proc/master.cc \
    src/proc/master_boot.cc \
    src/proc/master_process.cc \
    src/proc/nursery.cc \
    src/proc/recycling.cc \
    src/proc/reload.cc \
    src/proc/supervisor_signals.cc \
    src/proc/task_queue.cc \
  "

  stampede_server="\
    src/server/acceptor.cc \
    src/server/access_line.cc \
    src/server/access_log.cc \
    src/server/admission.cc \
    src/server/compression.cc \
    src/server/connection_table.cc \
    src/server/datagram_ports.cc \
    src/server/exchange.cc \
    src/server/exchange_pool.cc \
    src/server/form.cc \
    src/server/head_text.cc \
    src/server/http1/response.cc \
    src/server/http1/session.cc \
    src/server/http2/body.cc \
    src/server/http2/body_memory.cc \
    src/server/http2/deadlines.cc \
    src/server/http2/events.cc \
    src/server/http2/frame_check.cc \
    src/server/http2/intake.cc \
    src/server/http2/lingering.cc \
    src/server/http2/queue.cc \
    src/server/http2/request_head.cc \
    src/server/http2/responses.cc \
    src/server/http2/session.cc \
    src/server/http2/streams.cc \
    src/server/http2/tunnel.cc \
    src/server/http2/wire.cc \
    src/server/mime_registry.cc \
    src/server/origin.cc \
    src/server/path_pattern.cc \
    src/server/path_rules.cc \
    src/server/request_id.cc \
    src/server/protocol_chooser.cc \
    src/server/proxied_transport.cc \
    src/server/refused_session.cc \
    src/server/request_body.cc \
    src/server/request_counts.cc \
    src/server/service.cc \
    src/server/stall.cc \
    src/server/stream_session.cc \
    src/server/static/file_response.cc \
    src/server/static/files.cc \
    src/server/static/listing.cc \
    src/server/static/rules.cc \
    src/server/usual_fields.cc \
    src/server/websocket_session.cc \
  "

  stampede_ext="\
    ext/constants.cc \
    ext/info.cc \
    ext/ini.cc \
    ext/module.cc \
    ext/system_constants.cc \
  "

  stampede_zend="\
    ext/zend/call.cc \
    ext/zend/caller.cc \
    ext/zend/changed_settings.cc \
    ext/zend/collection.cc \
    ext/zend/engine_version.cc \
    ext/zend/forward.cc \
    ext/zend/error_level.cc \
    ext/zend/last_error.cc \
    ext/zend/log_message.cc \
    ext/zend/object_guards.cc \
    ext/zend/lasting_settings.cc \
    ext/zend/lasting_state.cc \
    ext/zend/object_store.cc \
    ext/zend/pattern.cc \
    ext/zend/pending.cc \
    ext/zend/environment_state.cc \
    ext/zend/process_changes.cc \
    ext/zend/process_end.cc \
    ext/zend/process_settings.cc \
    ext/zend/stream_state.cc \
    ext/zend/xml_state.cc \
    ext/zend/process_state.cc \
    ext/zend/request_heap.cc \
    ext/zend/request_state.cc \
    ext/zend/request_statics.cc \
    ext/zend/processes.cc \
    ext/zend/throw.cc \
    ext/zend/trusted_file.cc \
  "

  stampede_runtime="\
    ext/runtime/after_fork.cc \
    ext/runtime/announced_switch.cc \
    ext/runtime/autoload.cc \
    ext/runtime/blocking_watch.cc \
    ext/runtime/collector.cc \
    ext/runtime/context_pool.cc \
    ext/runtime/direct_switch.cc \
    ext/runtime/exit_hook.cc \
    ext/runtime/compute_limit.cc \
    ext/runtime/inheritance.cc \
    ext/runtime/preempt.cc \
    ext/runtime/runtime.cc \
    ext/runtime/side.cc \
    ext/runtime/stack_overflow.cc \
    ext/runtime/starting_frame.cc \
    ext/runtime/stuck_call.cc \
    ext/runtime/task_end.cc \
  "

  stampede_io="\
    ext/io/bound.cc \
    ext/io/children.cc \
    ext/io/descriptor.cc \
    ext/io/descriptor_state.cc \
    ext/io/group_wait.cc \
    ext/io/endpoint.cc \
    ext/io/endpoint_dialer.cc \
    ext/io/endpoint_receiver.cc \
    ext/io/endpoint_sender.cc \
    ext/io/endpoint_settings.cc \
    ext/io/endpoint_state.cc \
    ext/io/framing_options.cc \
    ext/io/options.cc \
    ext/io/proxy.cc \
    ext/io/files.cc \
    ext/io/resolver.cc \
    ext/io/signals.cc \
    ext/io/ssl_options.cc \
    ext/io/stream.cc \
    ext/io/websocket_frames.cc \
  "

  stampede_request_loop="\
    ext/request_loop/failures.cc \
    ext/request_loop/identity.cc \
    ext/request_loop/lasting_changes.cc \
    ext/request_loop/file_questions.cc \
    ext/request_loop/loop.cc \
    ext/request_loop/request.cc \
    ext/request_loop/response.cc \
    ext/request_loop/sapi.cc \
    ext/request_loop/script_stack.cc \
    ext/request_loop/user_settings.cc \
  "

  stampede_library="\
    ext/library/library.cc \
  "

  stampede_hooks="\
    ext/hooks/offload.cc \
    ext/hooks/compressed.cc \
    ext/hooks/connection_use.cc \
    ext/hooks/curl_fields.cc \
    ext/hooks/observed_calls.cc \
    ext/hooks/descriptors.cc \
    ext/hooks/fairness.cc \
    ext/hooks/files.cc \
    ext/hooks/hooks.cc \
    ext/hooks/import_table.cc \
    ext/hooks/kinds.cc \
    ext/hooks/libpq.cc \
    ext/hooks/locks.cc \
    ext/hooks/mysqlnd.cc \
    ext/hooks/names.cc \
    ext/hooks/memcached.cc \
    ext/hooks/memory.cc \
    ext/hooks/mongodb.cc \
    ext/hooks/object_end.cc \
    ext/hooks/object_use.cc \
    ext/hooks/children.cc \
    ext/hooks/paths.cc \
    ext/hooks/persistent.cc \
    ext/hooks/policy.cc \
    ext/hooks/readiness.cc \
    ext/hooks/remote_paths.cc \
    ext/hooks/exit.cc \
    ext/hooks/signals.cc \
    ext/hooks/socket.cc \
    ext/hooks/started_programs.cc \
    ext/hooks/stream_select.cc \
    ext/hooks/sqlite/offload.cc \
    ext/hooks/sqlite/entries.cc \
    ext/hooks/sqlite/gate.cc \
    ext/hooks/sqlite/guards.cc \
    ext/hooks/sqlite/library.cc \
    ext/hooks/sqlite/pace.cc \
    ext/hooks/sqlite/use.cc \
    ext/hooks/curl.cc \
    ext/hooks/curl_multi.cc \
    ext/hooks/tls.cc \
    ext/hooks/transports.cc \
    ext/hooks/wait.cc \
    ext/hooks/whole_reads.cc \
  "

  stampede_ext_server="\
    ext/server/access_log_settings.cc \
    ext/server/api_options.cc \
    ext/server/manager_watchdog.cc \
    ext/server/boot.cc \
    ext/server/commands.cc \
    ext/server/connection_actions.cc \
    ext/server/connection_events.cc \
    ext/server/connection_info.cc \
    ext/server/control.cc \
    ext/server/control_json.cc \
    ext/server/dispatch.cc \
    ext/server/event_job.cc \
    ext/server/events.cc \
    ext/server/hand_over.cc \
    ext/server/http_handler.cc \
    ext/server/inbox.cc \
    ext/server/inspection.cc \
    ext/server/messages.cc \
    ext/server/metrics.cc \
    ext/server/metrics_text.cc \
    ext/server/packing.cc \
    ext/server/peer_routes.cc \
    ext/server/killed_requests.cc \
    ext/server/peers.cc \
    ext/server/port_settings.cc \
    ext/server/ports.cc \
    ext/server/process_start.cc \
    ext/server/prompt_sending.cc \
    ext/server/receive_handler.cc \
    ext/server/redis.cc \
    ext/server/remote_responses.cc \
    ext/server/request_jobs.cc \
    ext/server/response_spool.cc \
    ext/server/run.cc \
    ext/server/send_turns.cc \
    ext/server/sending.cc \
    ext/server/settings.cc \
    ext/server/state.cc \
    ext/server/stats.cc \
    ext/server/supervisor_signal.cc \
    ext/server/task_queue.cc \
    ext/server/task_worker.cc \
    ext/server/tasks.cc \
    ext/server/tls.cc \
    ext/server/url_rewriter.cc \
    ext/server/user_processes.cc \
    ext/server/websocket_handshake.cc \
    ext/server/websocket_hub.cc \
    ext/server/websocket_sending.cc \
    ext/server/worker.cc \
    ext/server/worker_count.cc \
  "

  stampede_classes="\
    ext/classes/stampede/blocking.cc \
    ext/classes/client/async_client.cc \
    ext/classes/client/client_kind.cc \
    ext/classes/client/coroutine_client.cc \
    ext/classes/client/dial.cc \
    ext/classes/client/http2_client.cc \
    ext/classes/client/http2_client_message.cc \
    ext/classes/client/http2_client_work.cc \
    ext/classes/client/http_client.cc \
    ext/classes/client/http_client_response.cc \
    ext/classes/client/http_client_exchange.cc \
    ext/classes/client/http_client_request.cc \
    ext/classes/client/http_client_settings.cc \
    ext/classes/client/http_client_socket.cc \
    ext/classes/client/http_client_websocket.cc \
    ext/classes/client/http_functions.cc \
    ext/classes/client/kept_connections.cc \
    ext/classes/client/select.cc \
    ext/classes/client/sync_client.cc \
    ext/classes/constant.cc \
    ext/classes/coroutine/barrier.cc \
    ext/classes/coroutine/channel.cc \
    ext/classes/coroutine/coroutine.cc \
    ext/classes/coroutine/functions.cc \
    ext/classes/coroutine/inspect.cc \
    ext/classes/coroutine/lock.cc \
    ext/classes/coroutine/options.cc \
    ext/classes/coroutine/scheduler.cc \
    ext/classes/coroutine/wait_group.cc \
    ext/classes/http/coroutine_server.cc \
    ext/classes/event.cc \
    ext/classes/exceptions.cc \
    ext/classes/stampede/file_watch.cc \
    ext/classes/stampede/heap.cc \
    ext/classes/functions/functions.cc \
    ext/classes/stampede/hook_reports.cc \
    ext/classes/http/body.cc \
    ext/classes/http/body_strings.cc \
    ext/classes/http/cookie.cc \
    ext/classes/http/cookie_format.cc \
    ext/classes/http/header_names.cc \
    ext/classes/http/known_strings.cc \
    ext/classes/http/mime_type.cc \
    ext/classes/http/parsed_request.cc \
    ext/classes/http/request.cc \
    ext/classes/http/request_arrays.cc \
    ext/classes/http/response.cc \
    ext/classes/http/response_body.cc \
    ext/classes/http/response_coding.cc \
    ext/classes/http/response_create.cc \
    ext/classes/http/response_fields.cc \
    ext/classes/http/response_connection.cc \
    ext/classes/http/response_killed.cc \
    ext/classes/http/response_http1.cc \
    ext/classes/http/response_properties.cc \
    ext/classes/http/response_remote.cc \
    ext/classes/http/response_socket.cc \
    ext/classes/http/response_websocket.cc \
    ext/classes/http/status.cc \
    ext/classes/http/upload.cc \
    ext/classes/functions/library_options.cc \
    ext/classes/functions/renamed_functions.cc \
    ext/classes/name_resolvers.cc \
    ext/classes/functions/remote_object_functions.cc \
    ext/classes/functions/value_functions.cc \
    ext/classes/stampede/web_request.cc \
    ext/zend/web_request.cc \
    ext/zend/request_filters.cc \
    ext/zend/opcache_time.cc \
    ext/classes/stampede/loop_control.cc \
    ext/classes/stampede/metrics.cc \
    ext/classes/stampede/mysqli_link.cc \
    ext/classes/stampede/request_loop.cc \
    ext/classes/stampede/checkpoint.cc \
    ext/classes/stampede/compute_limit.cc \
    ext/classes/stampede/trace.cc \
    ext/classes/stampede/logging.cc \
    ext/classes/stampede/object_counts.cc \
    ext/classes/stampede/pool_metrics.cc \
    ext/classes/process/pcntl_fork.cc \
    ext/classes/process/pool.cc \
    ext/classes/process/pool_master.cc \
    ext/classes/process/pool_messages.cc \
    ext/classes/process/pool_worker.cc \
    ext/classes/process/process.cc \
    ext/classes/process/process_pipe.cc \
    ext/classes/process/process_system.cc \
    ext/classes/runtime_hooks.cc \
    ext/classes/server/commands.cc \
    ext/classes/server/event_objects.cc \
    ext/classes/server/objects.cc \
    ext/classes/server/port.cc \
    ext/classes/server/redis.cc \
    ext/classes/server/sending.cc \
    ext/classes/server/server.cc \
    ext/classes/server/task_objects.cc \
    ext/classes/server/tasks.cc \
    ext/classes/server/worker_count.cc \
    ext/classes/shm/atomic.cc \
    ext/classes/shm/lock.cc \
    ext/classes/shm/table.cc \
    ext/classes/shm/table_row.cc \
    ext/classes/socket/socket.cc \
    ext/classes/socket/socket_io.cc \
    ext/classes/socket/socket_option.cc \
    ext/classes/system/dns.cc \
    ext/classes/system/files.cc \
    ext/classes/system/processes.cc \
    ext/classes/system/shell_functions.cc \
    ext/classes/timer.cc \
    ext/classes/websocket/frame.cc \
    ext/classes/websocket/peer.cc \
    ext/classes/websocket/server.cc \
  "

  stampede_sources="$stampede_base $stampede_os $stampede_loop $stampede_net $stampede_proto $stampede_client $stampede_tls \
    $stampede_metrics $stampede_observe $stampede_shm $stampede_proc $stampede_server \
    $stampede_ext $stampede_zend $stampede_runtime $stampede_io $stampede_library $stampede_request_loop \
    $stampede_hooks $stampede_ext_server $stampede_classes"

dnl ---- compiler ------------------------------------------------------------------------------

dnl The sources may be outside the folder phpize ran in (make build does that).
  stampede_phpize_dir=$abs_srcdir
  stampede_root=${STAMPEDE_ROOT:-$abs_srcdir}

dnl PHP's own headers count as system headers: their warnings are not ours.
  for stampede_dir in $INCLUDES; do
    stampede_system="$stampede_system -isystem `echo $stampede_dir | $SED 's/^-I//'`"
  done
  stampede_flags="-std=c++20 -pthread -fvisibility=hidden -fno-exceptions -fno-rtti -fno-plt \
    -Wall -Wextra -Wno-missing-field-initializers -Wno-invalid-offsetof -MP \
    -I$stampede_root/src -I$stampede_root/ext -I$stampede_root $stampede_system"
  if test "$PHP_STAMPEDE_DEBUG" != "no"; then
    stampede_flags="$stampede_flags -O1 -g -fno-var-tracking-assignments -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS \
      -DSTAMPEDE_DEBUG=1 -fsanitize=address,undefined -fno-sanitize=vptr"
    stampede_link="-fsanitize=address,undefined"
  else
    stampede_flags="$stampede_flags -O2 -DNDEBUG"
  fi
  if test "$PHP_STAMPEDE_WERROR" != "no"; then
    stampede_flags="$stampede_flags -Werror"
  fi

dnl ---- libraries -----------------------------------------------------------------------------

  PKG_CHECK_MODULES([STAMPEDE_LIBS],
    [openssl >= 3.0 libnghttp2 >= 1.48 libcares >= 1.16 liburing >= 2.0 zlib libbrotlienc libbrotlidec libzstd])
  PHP_EVAL_INCLINE([$STAMPEDE_LIBS_CFLAGS])
  PHP_EVAL_LIBLINE([$STAMPEDE_LIBS_LIBS], [STAMPEDE_SHARED_LIBADD])
  PHP_ADD_LIBRARY([stdc++], [1], [STAMPEDE_SHARED_LIBADD])
  PHP_ADD_LIBRARY([pthread], [1], [STAMPEDE_SHARED_LIBADD])
  STAMPEDE_SHARED_LIBADD="$STAMPEDE_SHARED_LIBADD $stampede_link -Wl,-z,now"
  PHP_SUBST([STAMPEDE_SHARED_LIBADD])

  abs_srcdir=$stampede_root
  PHP_NEW_EXTENSION([stampede], [$stampede_sources], [$ext_shared],, [$stampede_flags], [yes])
  abs_srcdir=$stampede_phpize_dir

  for stampede_source in $stampede_sources; do
    stampede_folders="$stampede_folders `dirname $stampede_source`"
  done
  for stampede_folder in `printf '%s\n' $stampede_folders | sort -u`; do
    PHP_ADD_BUILD_DIR([$ext_builddir/$stampede_folder])
  done

  if test "$PHP_STAMPEDE_PRECOMPILED" != "no"; then
    PHP_SUBST([stampede_root])
    PHP_SUBST([stampede_flags])
    PHP_ADD_MAKEFILE_FRAGMENT([$stampede_root/Makefile.frag])
  fi
fi
