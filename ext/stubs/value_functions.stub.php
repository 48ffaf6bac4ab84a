<?php

/** @generate-function-entries */

/** An object for a text; its offsets and lengths are bytes. */
function swoole_string(string $string = ''): Swoole\StringObject {}

/** An object for a text; its offsets and lengths are characters. Needs PHP's mbstring. */
function swoole_mbstring(string $string = ''): Swoole\MultibyteStringObject {}

/** An object for an array. */
function swoole_array(array $array = []): Swoole\ArrayObject {}

/** An object for the list of the arguments. */
function swoole_array_list(mixed ...$arrray): Swoole\ArrayObject {}

/**
 * A table whose memory is there already.
 * @param string $fields "name:string:64,age:int,weight:float"; the types also by their first letter
 * @throws \InvalidArgumentException when a field has no such form
 */
function swoole_table(int $size, string $fields): Swoole\Table {}

/**
 * As curl_init(), with an object of this API. The following functions are PHP's for such objects.
 * @throws Swoole\Curl\Exception without PHP's curl extension
 */
function swoole_curl_init(string $url = ''): Swoole\Curl\Handler {}

function swoole_curl_setopt(Swoole\Curl\Handler $obj, int $opt, mixed $value): bool {}

function swoole_curl_setopt_array(Swoole\Curl\Handler $obj, array $array): bool {}

function swoole_curl_exec(Swoole\Curl\Handler $obj): string|bool {}

function swoole_curl_getinfo(Swoole\Curl\Handler $obj, int $opt = 0): mixed {}

function swoole_curl_errno(Swoole\Curl\Handler $obj): int {}

function swoole_curl_error(Swoole\Curl\Handler $obj): string {}

function swoole_curl_reset(Swoole\Curl\Handler $obj): void {}

function swoole_curl_close(Swoole\Curl\Handler $obj): void {}

function swoole_curl_multi_getcontent(Swoole\Curl\Handler $obj): ?string {}
