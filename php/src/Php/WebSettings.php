<?php

declare(strict_types=1);

namespace Stampede\Php;

/**
 * The settings with which PHP's own web servers run, for a program that is started as a command: PHP's command line ignores what php.ini says of
 * some, and Debian has a php.ini for each of PHP's programs.
 */
final class WebSettings
{
    public const SAPI = 'fpm-fcgi';

    /** What the command line has of its own, and PHP's default elsewhere. */
    private const DEFAULTS = [
        'display_errors' => '1',
        'log_errors' => '1',
        'html_errors' => '1',
        'implicit_flush' => '0',
        'max_execution_time' => '30',
        'max_input_time' => '-1',
        'output_buffering' => '0',
        'register_argc_argv' => '1',
        'memory_limit' => '128M',
        // With the JIT the engine prepares every function of every extension at the start of each request, which costs more than most scripts gain.
        'opcache.jit_buffer_size' => '0',
        'apc.enable_cli' => '1', // APCu's memory is shared by all processes of a generation, as by those of PHP-FPM
    ];

    /**
     * @param list<string> $command that they are added to: what its options -d set stays
     * @param array<string, string> $values by name, which php.ini does not change
     * @return list<string> options of the command php
     */
    public static function arguments(?string $file, array $command, array $values, bool $isProduction): array
    {
        $said = array_intersect_key(self::read($file), self::DEFAULTS);
        $settings = $values + $said + ($isProduction ? ['display_errors' => '0'] : []) + self::DEFAULTS + ['stampede.sapi_name' => self::SAPI];
        // The JIT is set for the workers.
        $given = array_diff_key(self::given($command), ['opcache.jit_buffer_size' => true]);
        $arguments = $file === null ? [] : ['-c', $file];
        foreach (array_diff_key($settings, $given) as $name => $value) {
            array_push($arguments, '-d', "{$name}={$value}");
        }
        return $arguments;
    }

    /**
     * @param list<string> $command
     * @return array<string, true> by name
     */
    private static function given(array $command): array
    {
        $given = [];
        foreach ($command as $argument) {
            if (preg_match('/^(?:-d)?([\w.]+)=/', $argument, $part) === 1) {
                $given[$part[1]] = true;
            }
        }
        return $given;
    }

    /** The php.ini of PHP's web server on this machine, null where there is one for all. */
    public static function file(): ?string
    {
        $own = (string) php_ini_loaded_file();
        $folder = dirname($own, 2);
        foreach (basename(dirname($own)) === 'cli' ? ['fpm', 'apache2', 'cgi'] : [] as $program) {
            if (is_readable("{$folder}/{$program}/php.ini")) {
                return "{$folder}/{$program}/php.ini";
            }
        }
        return $own === '' ? null : $own;
    }

    /** @return array<string, string> as PHP would understand them */
    private static function read(?string $file): array
    {
        $scanned = array_map(trim(...), explode(',', (string) php_ini_scanned_files()));
        $said = [];
        foreach ([$file, ...$scanned] as $each) {
            $values = $each === null || $each === '' ? false : @parse_ini_file($each, false, INI_SCANNER_NORMAL);
            $said = array_merge($said, array_filter($values ?: [], is_string(...)));
        }
        return $said;
    }
}
