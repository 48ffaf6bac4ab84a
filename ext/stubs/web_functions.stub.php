<?php

/** @generate-function-entries */

/**
 * Functions of PHP's web servers, in processes that serve scripts (stampede.sapi_name).
 *
 * Gives the client its response now: what the script prints afterwards goes nowhere, and the client does not wait for the script's end.
 * @return bool false when the client has its response already
 */
function fastcgi_finish_request(): bool {}

/** @return array<string, string> fields of the request's head */
function apache_request_headers(): array {}

/**
 * @alias apache_request_headers
 * @return array<string, string>
 */
function getallheaders(): array {}
