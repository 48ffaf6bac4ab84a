<?php

/** @generate-function-entries */

/** Old name of Swoole\Coroutine\System::dnsLookup(). */
function swoole_async_dns_lookup_coro(string $domain_name, float $timeout = 60, int $type = AF_INET): string|false {}

/** Forgets the cached answers of the name service. */
function swoole_clear_dns_cache(): void {}
