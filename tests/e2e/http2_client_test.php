<?php

declare(strict_types=1);

/* Swoole\Coroutine\Http2\Client against nghttpd, plain and over TLS, and against servers that answer badly. */

namespace Stampede\Tests\E2e;

final class http2_client_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $folder = External::folder();
        External::certificate($folder);
        file_put_contents("$folder/small", "hello\n");
        file_put_contents("$folder/big", str_repeat(hash('sha256', 'big') . "\n", 60_000));
        $plain = Server::freePort();
        $tls = Server::freePort();
        $bad = Server::freePort();
        $servers = [
            new External(['nghttpd', '--no-tls', '--echo-upload', '-d', $folder, (string) $plain], External::folder(), "tcp://127.0.0.1:$plain"),
            new External(['nghttpd', '-d', $folder, (string) $tls, "$folder/key.pem", "$folder/cert.pem"], External::folder(), "tcp://127.0.0.1:$tls"),
            External::php(__DIR__ . '/apps/bad_http2_server.php', $bad),
        ];
        try {
            External::checks($this, 'http2_client', ['plain' => $plain, 'tls' => $tls, 'bad' => $bad, 'big' => md5_file("$folder/big"), 'certificate' => "$folder/cert.pem"]);
        } finally {
            array_map(unlink(...), glob("$folder/*") ?: []);
            rmdir($folder);
        }
    }
}
