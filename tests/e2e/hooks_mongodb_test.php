<?php

declare(strict_types=1);

/* The extension mongodb waits in coroutines, and the calls of one client take turns. Its peer is a program of ours, since Debian has no MongoDB. */

namespace Stampede\Tests\E2e;

final class hooks_mongodb_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $port = Server::freePort();
        $server = new Companion(Companion::php('mongodb_server.php', (string) $port));
        $server->waitForPort($port);
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        // Loaded before the extension, which is also what php.ini may say.
        Companion::reportChecks($this, [...phpWithModule($module), '-n', '-d', 'extension=mongodb', '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_mongodb.php', (string) $port], 120.0);
    }
}
