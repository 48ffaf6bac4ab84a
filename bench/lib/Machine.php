<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What a run was made on, and with which versions. */
final class Machine
{
    /** name of a program => how it says its version, what of that is the version */
    private const PROGRAMS = [
        'Apache' => ['apache2 -v', '~Apache/(\S+)~'],
        'nginx' => ['nginx -v', '~nginx/(\S+)~'],
        'MariaDB' => ['mariadbd --version', '~Ver (\S+)~'],
        'PostgreSQL' => ['psql --version', '~([\d.]+)~'],
        'Redis' => ['redis-server --version', '~v=(\S+)~'],
        'wrk' => ['wrk -v', '~wrk (\S+)~'],
        'ab' => ['ab -V', '~Version (\S+)~'],
        'RoadRunner' => ['rr --version', '~(\d\S+)~'],
        'FrankenPHP' => ['frankenphp version', '~v?(\d\S+)~'],
    ];

    /** @return array<string, string> */
    public static function describe(): array
    {
        preg_match('/^model name\s*:\s*(.+)$/m', (string) @file_get_contents('/proc/cpuinfo'), $model);
        preg_match('/^MemTotal:\s+(\d+) kB/m', (string) @file_get_contents('/proc/meminfo'), $memory);
        $machine = [
            'processors' => trim((string) shell_exec('nproc')) . ' of ' . ($model[1] ?? php_uname('m')),
            'memory' => sprintf('%.1f GiB', (int) ($memory[1] ?? 0) / (1 << 20)),
            'kernel' => php_uname('s') . ' ' . php_uname('r'),
            'open files' => trim((string) shell_exec('ulimit -n')),
            'PHP' => PHP_VERSION,
            'Stampede' => self::own_version(),
        ];
        foreach (self::PROGRAMS as $name => [$command, $pattern]) {
            $said = (string) shell_exec("PATH=\$PATH:/usr/sbin $command 2>&1");
            if (preg_match($pattern, $said, $found) === 1 && !str_contains($said, 'not found')) {
                $machine[$name] = $found[1];
            }
        }
        return $machine;
    }

    private static function own_version(): string
    {
        $code = 'echo phpversion("stampede");';
        $command = implode(' ', array_map(escapeshellarg(...), [...Opponents::php_with_module(), '-r', $code]));
        $commit = trim((string) shell_exec('git -C ' . escapeshellarg(dirname(__DIR__, 2)) . ' rev-parse --short HEAD 2>/dev/null'));
        return trim((string) shell_exec("$command 2>/dev/null")) . ($commit === '' ? '' : " ($commit)");
    }
}
