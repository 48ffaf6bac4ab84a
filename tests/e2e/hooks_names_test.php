<?php

declare(strict_types=1);

/* PHP's functions for names wait in coroutines: with a slow name server in a network of its own. */

namespace Stampede\Tests\E2e;

final class hooks_names_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $folder = External::folder();
        file_put_contents("$folder/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
        file_put_contents("$folder/nsswitch.conf", "hosts: dns\n");
        $module = realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so');
        $asRoot = posix_getuid() === 0 ? [] : ['--user', '--map-root-user'];
        Companion::reportChecks($this, ['unshare', ...$asRoot, '--mount', '--net', '--propagation', 'private', 'sh', '-ec',
            'ip link set lo up; mount --bind "$1/resolv.conf" /etc/resolv.conf; mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf; shift; exec "$@"', 'sh', $folder,
            ...phpWithModule($module), '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_names.php'], 120.0);
        exec('rm -rf ' . escapeshellarg($folder));
    }
}
