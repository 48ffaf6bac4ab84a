<?php

declare(strict_types=1);

/*
 * TLS of Coroutine\Client, Coroutine\Socket and Client with openssl's s_server and s_client: trust, names, client certificates, files that
 * do not fit together, STARTTLS.
 */

namespace Stampede\Tests\E2e;

/** @param list<string> $more */
function s_server(Certificates $certificates, string $name, int $port, array $more = []): Companion
{
    $files = ['-cert', $certificates->path("$name.pem"), '-key', $certificates->path("$name.key")];
    $server = new Companion(['openssl', 's_server', '-accept', "127.0.0.1:$port", '-rev', ...$files, ...$more]);
    $server->waitForPort($port);
    return $server;
}

final class tls_client_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $certificates = new Certificates();
        $kinds = [
            'server' => ['server', []],
            'expired' => ['expired', []],
            'alone' => ['alone', []],
            'alpn' => ['server', ['-alpn', 'h2']],
            'demanding' => ['server', ['-Verify', '2', '-verify_return_error', '-CAfile', $certificates->path('ca.pem')]],
        ];
        $ports = $servers = [];
        foreach ($kinds as $kind => [$name, $more]) {
            $ports[$kind] = Server::freePort();
            $servers[$kind] = s_server($certificates, $name, $ports[$kind], $more);
        }
        Companion::reportChecks($this, Companion::php('tls_client.php', $certificates->folder, (string) json_encode($ports)), 100.0);
        $servers = [];
    }
}
