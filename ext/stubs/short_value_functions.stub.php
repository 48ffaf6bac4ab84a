<?php

/** @generate-function-entries */

/** @alias swoole_string */
function _string(string $string = ''): Swoole\StringObject {}

/** @alias swoole_mbstring */
function _mbstring(string $string = ''): Swoole\MultibyteStringObject {}

/** @alias swoole_array */
function _array(array $array = []): Swoole\ArrayObject {}
