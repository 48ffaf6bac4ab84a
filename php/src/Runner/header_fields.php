<?php

declare(strict_types=1);

/* The functions of PHP's web servers for the header fields of a request, which the command line's PHP does not have. */

if (!function_exists('getallheaders')) {
    /** @return array<string, string> */
    function getallheaders(): array
    {
        $fields = [];
        foreach ($_SERVER as $key => $value) {
            $name = match (true) {
                in_array($key, ['CONTENT_TYPE', 'CONTENT_LENGTH'], true) => $key,
                str_starts_with((string) $key, 'HTTP_') => substr((string) $key, 5),
                default => '',
            };
            if ($name !== '') {
                $fields[strtr(ucwords(strtolower($name), '_'), '_', '-')] = $value;
            }
        }
        return $fields;
    }
}

if (!function_exists('apache_request_headers')) {
    /** @return array<string, string> */
    function apache_request_headers(): array
    {
        return getallheaders();
    }
}
