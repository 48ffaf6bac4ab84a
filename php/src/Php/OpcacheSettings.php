<?php

declare(strict_types=1);

namespace Stampede\Php;

/** Settings of php.ini for a server in production. What php.ini or the command line says about one of them stays as it is. */
final class OpcacheSettings
{
    private const OPCACHE = [
        'opcache.enable_cli' => '1',
        'opcache.interned_strings_buffer' => '16',
        'opcache.max_accelerated_files' => '20000',
    ];
    // An application that compiles its container at the first boot uses up PHP's own limits before the first request: its requests would be interpreted.
    private const JIT = [
        'opcache.jit_buffer_size' => '64M',
        'opcache.jit' => 'tracing',
        'opcache.jit_max_root_traces' => '8192',
        'opcache.jit_max_exit_counters' => '65536',
    ];
    /** Extensions that PHP complains about when the JIT is on. */
    private const AGAINST_JIT = ['xdebug', 'pcov', 'uopz'];

    /** @return array<string, string> */
    public static function wanted(): array
    {
        if (!extension_loaded('Zend OPcache')) {
            return [];
        }
        $jit = array_filter(self::AGAINST_JIT, extension_loaded(...)) === [] ? self::JIT : [];
        return array_filter(self::OPCACHE + $jit, static fn (string $name): bool => get_cfg_var($name) === false, ARRAY_FILTER_USE_KEY);
    }
}
