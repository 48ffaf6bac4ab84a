<?php

/* Functions of PHP 8.5 that the framework takes from a polyfill. */

if (!function_exists('array_first')) {
    function array_first(array $array): mixed
    {
        return $array === [] ? null : $array[array_key_first($array)];
    }

    function array_last(array $array): mixed
    {
        return $array === [] ? null : $array[array_key_last($array)];
    }

    function get_error_handler(): ?callable
    {
        $handler = set_error_handler(null);
        restore_error_handler();
        return $handler;
    }

    function get_exception_handler(): ?callable
    {
        $handler = set_exception_handler(null);
        restore_exception_handler();
        return $handler;
    }
}
