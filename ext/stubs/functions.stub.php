<?php

/** @generate-function-entries */

/** The version of the API that is implemented, as in SWOOLE_VERSION. */
function swoole_version(): string {}

/** Number of processors that are online. */
function swoole_cpu_num(): int {}

/** The same, lowered to what the container may use. */
function swoole_container_cpu_num(): int {}

function swoole_is_in_container(): bool {}

/** Addresses of the network interfaces that are up, by interface name, loopback left out. $family is an AF_* number. */
function swoole_get_local_ip(int $family = 2): array {}

/** Hardware addresses by interface name. */
function swoole_get_local_mac(): array {}

/** The title that ps and top show for this process. */
function swoole_set_process_name(string $process_name): bool {}

/** The text of an error number; $error_type says where it comes from (SWOOLE_STRERROR_*). */
function swoole_strerror(int $errno, int $error_type = SWOOLE_STRERROR_SYSTEM): string {}

/** errno of the last system call. */
function swoole_errno(): int {}

/** The last error of this API in this process, 0 when there was none. */
function swoole_last_error(): int {}

function swoole_clear_error(): void {}

/** Writes a line to the log; $level is one of SWOOLE_LOG_*. */
function swoole_error_log(int $level, string $msg): void {}

/** The same with an error number, which swoole_ignore_error() can silence. */
function swoole_error_log_ex(int $level, int $error, string $msg): void {}

/** Keeps an error number out of the log of this process. */
function swoole_ignore_error(int $error): void {}

/** A number made of the bytes of $data: DJB2 for type 0, CRC-32 for type 1. */
function swoole_hashcode(string $data, int $type = 0): int|false {}

/** Sets options of the coroutine runtime: old name of Swoole\Coroutine::set(). Its own: wait_signal, see Process::signal(). */
function swoole_async_set(array $settings): bool {}

/** unserialize() of a part of a string, without copying it out first. */
function swoole_substr_unserialize(string $str, int $offset, int $length = 0, array $options = []): mixed {}

/** json_decode() of a part of a string. */
function swoole_substr_json_decode(string $str, int $offset, int $length = 0, bool $associative = false, int $depth = 512, int $flags = 0): mixed {}

/** $array[$key] when that key exists, else $default_value. */
function swoole_array_default_value(array $array, mixed $key, mixed $default_value = null): mixed {}

function swoole_library_set_options(array $options): void {}

function swoole_library_get_options(): array {}

function swoole_library_set_option(string $key, mixed $value): void {}

function swoole_library_get_option(string $key): mixed {}

/** All live objects of this process. A debugging help: every object of the application is in it. */
function swoole_get_objects(): array|false {}

/** Numbers of live objects and resources. */
function swoole_get_vm_status(): array {}

/** The live object with this spl_object_id(). */
function swoole_get_object_by_handle(int $handle): object|false {}

/** Debugging helps by name: "refcount" of the argument, "abort" the process. */
function swoole_implicit_fn(string $fn, mixed $args = null): mixed {}

/** Announces once that the script's shutdown functions begin to run. */
function swoole_internal_call_user_shutdown_begin(): bool {}
