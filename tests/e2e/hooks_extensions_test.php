<?php

declare(strict_types=1);

/* Extensions that no line was written for wait in coroutines: memcached, ldap, gearman, ssh2 against their real servers. */

namespace Stampede\Tests\E2e;

final class hooks_extensions_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $isRoot = posix_getuid() === 0;
        $companions = [];
        $ports = [];
        $sockets = External::folder();
        /** A server behind a proxy that is late by a tenth of a second. */
        $start = static function (string $name, callable $command) use (&$companions, &$ports, $sockets): void {
            $port = Server::freePort();
            $folder = External::folder();
            $companions[] = new External($command($port, $folder), $folder, "tcp://127.0.0.1:$port");
            $ports[$name] = Server::freePort();
            $proxy = new Companion([PHP_BINARY, '-n', '-d', 'extension=sockets', __DIR__ . '/apps/fault_proxy.php', (string) $ports[$name], "tcp://127.0.0.1:$port", "unix://$sockets/$name"]);
            $proxy->waitForPort($ports[$name]);
            $control = stream_socket_client("unix://$sockets/$name");
            if ($control === false) {
                throw new \RuntimeException("The proxy of $name cannot be told anything.");
            }
            fwrite($control, "latency 100\n");
            fgets($control);
            $companions[] = $proxy;
        };

        $start('memcached', static fn (int $port): array => ['memcached', '-l', '127.0.0.1', '-p', (string) $port, '-U', '0', ...($isRoot ? ['-u', 'nobody'] : [])]);
        $start('ldap', static function (int $port, string $folder): array {
            file_put_contents("$folder/slapd.conf", "include /etc/ldap/schema/core.schema\npidfile $folder/pid\n");
            return ['slapd', '-f', "$folder/slapd.conf", '-h', "ldap://127.0.0.1:$port", '-d', '0'];
        });
        $start('gearman', static fn (int $port, string $folder): array => ['gearmand', '-L', '127.0.0.1', '-p', (string) $port, '-l', "$folder/log", ...($isRoot ? ['-u', 'root'] : [])]);
        $start('ssh', static function (int $port, string $folder) use ($isRoot): array {
            if ($isRoot && !is_dir('/run/sshd')) {
                mkdir('/run/sshd', 0755);
            }
            exec('ssh-keygen -q -t rsa -b 2048 -N "" -f ' . escapeshellarg("$folder/key"));
            return ['/usr/sbin/sshd', '-D', '-e', '-f', '/dev/null', '-p', (string) $port, '-h', "$folder/key", '-o', 'ListenAddress=127.0.0.1', '-o', 'PidFile=none', '-o', 'MaxStartups=300',
                '-o', 'PerSourceMaxStartups=none', '-o', 'UsePAM=no', '-o', 'HostKeyAlgorithms=+ssh-rsa', '-o', 'LoginGraceTime=60'];
        });

        $program = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        Companion::reportChecks($this, [...phpWithModule($program), '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_extensions.php', json_encode($ports, JSON_THROW_ON_ERROR)], 120.0);
        exec('rm -rf ' . escapeshellarg($sockets));
    }
}
