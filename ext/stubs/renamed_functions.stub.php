<?php

/** @generate-function-entries */

/** As checkdnsrr(); like the following functions it lets other coroutines run where PHP's own does. */
function swoole_checkdnsrr(string $hostname, string $type = 'MX'): bool {}

/** As dns_check_record(). */
function swoole_dns_check_record(string $hostname, string $type = 'MX'): bool {}

/**
 * As dns_get_mx().
 * @param array $hosts
 * @param array $weights
 */
function swoole_dns_get_mx(string $hostname, mixed &$hosts, mixed &$weights = null): bool {}

/**
 * As getmxrr().
 * @param array $hosts
 * @param array $weights
 */
function swoole_getmxrr(string $hostname, mixed &$hosts, mixed &$weights = null): bool {}

/**
 * As dns_get_record().
 * @param array $authoritative_name_servers
 * @param array $additional_records
 */
function swoole_dns_get_record(string $hostname, int $type = DNS_ANY, mixed &$authoritative_name_servers = null, mixed &$additional_records = null, bool $raw = false): array|false {}

/** As gethostbyaddr(): false when $ip is not an address, $ip when it has no name. */
function swoole_gethostbyaddr(string $ip): string|false {}

/** As gethostbynamel(). */
function swoole_gethostbynamel(string $domain): array|false {}

/** As mail(). */
function swoole_mail(string $to, string $subject, string $message, array $headers = []): bool {}
