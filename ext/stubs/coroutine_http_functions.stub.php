<?php

/** @generate-function-entries */

namespace Swoole\Coroutine\Http;

/**
 * One request by the way that the library option http_client_driver names: "swoole" (this API's client, the usual one in
 * coroutines), "curl" (the usual one elsewhere) or "stream".
 * @param mixed $data an array is sent as a form
 * @throws \Swoole\Coroutine\Http\Client\Exception when there is no response
 */
function request(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}

function request_with_http_client(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}

function request_with_curl(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}

function request_with_stream(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}

function post(string $url, mixed $data, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}

function get(string $url, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy {}
