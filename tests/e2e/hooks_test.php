<?php

declare(strict_types=1);

/* Unmodified drivers and functions wait in coroutines: against MariaDB, PostgreSQL, Redis and nginx. */

namespace Stampede\Tests\E2e;

final class hooks_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $as = static fn (string $user): array => posix_getuid() === 0 ? ['setpriv', "--reuid=$user", "--regid=$user", '--clear-groups'] : [];
        $open = static function (string $folder, string $user): void {
            chmod($folder, 0755);
            if (posix_getuid() === 0) {
                chown($folder, $user);
            }
        };
        $run = function (array $command): void {
            $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
            $output = $process === false ? '' : (string) stream_get_contents($pipes[1]);
            $this->check('prepared by ' . basename($command[count($command) > 4 && $command[0] === 'setpriv' ? 4 : 0]), $process !== false && proc_close($process) === 0, $output);
        };

        $mysqlFolder = External::folder();
        $open($mysqlFolder, 'mysql');
        $run(['mariadb-install-db', '--no-defaults', "--datadir=$mysqlFolder/data", "--tmpdir=$mysqlFolder", '--auth-root-authentication-method=normal', ...(posix_getuid() === 0 ? ['--user=mysql'] : [])]);
        $mysqlPort = Server::freePort();
        $mysql = new External([...$as('mysql'), 'mariadbd', '--no-defaults', "--datadir=$mysqlFolder/data", "--tmpdir=$mysqlFolder", "--socket=$mysqlFolder/sock", "--port=$mysqlPort", '--bind-address=127.0.0.1',
            '--max-connections=400', '--innodb-buffer-pool-size=32M', '--skip-name-resolve'], $mysqlFolder, "tcp://127.0.0.1:$mysqlPort");

        $binaries = glob('/usr/lib/postgresql/*/bin') ?: [''];
        $bin = end($binaries);
        $pgFolder = External::folder();
        $open($pgFolder, 'postgres');
        $run([...$as('postgres'), "$bin/initdb", '-D', "$pgFolder/data", '-A', 'trust', '-U', 'postgres', '-N']);
        $pgPort = Server::freePort();
        $pg = new External([...$as('postgres'), "$bin/postgres", '-D', "$pgFolder/data", '-p', (string) $pgPort, '-k', $pgFolder, '-c', 'max_connections=300', '-c', 'fsync=off'],
            $pgFolder, "tcp://127.0.0.1:$pgPort");

        $redisPort = Server::freePort();
        $redisFolder = External::folder();
        $redis = new External(['redis-server', '--port', (string) $redisPort, '--save', '', '--dir', $redisFolder], $redisFolder, "tcp://127.0.0.1:$redisPort");
        $slow = new Server('settings');

        $program = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        Companion::reportChecks($this, [...phpWithModule($program), '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks.php',
            json_encode(['mysql' => $mysqlPort, 'socket' => "$mysqlFolder/sock", 'pg' => $pgPort, 'redis' => $redisPort, 'http' => $slow->port], JSON_THROW_ON_ERROR)], 120.0);
    }
}
