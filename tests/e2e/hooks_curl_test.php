<?php

declare(strict_types=1);

/* Everything of ext-curl waits in coroutines, and so do Guzzle and Symfony HttpClient. */

namespace Stampede\Tests\E2e;

final class hooks_curl_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $server = new Server('slow_http');
        $folder = External::folder();
        file_put_contents("$folder/file.txt", "over two\n");
        $port = Server::freePort();
        $http2 = new Companion(['nghttpd', '--no-tls', '-d', $folder, (string) $port]);
        $http2->waitForPort($port);
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        Companion::reportChecks($this, [...phpWithModule($module), '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_curl.php',
            json_encode(['http' => $server->port, 'http2' => $port, 'file' => "$folder/file.txt", 'autoload' => Packages::autoload()], JSON_THROW_ON_ERROR)], 120.0);
        exec('rm -rf ' . escapeshellarg($folder));
    }
}
