<?php

declare(strict_types=1);

/* Swoole\Coroutine\Http\Client against nginx, over TLS and proxies, and against servers that answer badly. */

namespace Stampede\Tests\E2e;

final class http_client_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $certificates = External::folder();
        External::certificate($certificates);
        $port = Server::freePort();
        $tls = Server::freePort();
        $nginx = External::nginx($port, <<<CONF
            gzip on; gzip_min_length 1; gzip_types *; client_max_body_size 64m; keepalive_requests 100000;
            server { listen 127.0.0.1:$port;
              location = /hello { return 200 "hello"; }
              location = /short { keepalive_requests 2; return 200 "short"; }
              location = /limited { client_max_body_size 1k; return 200 "taken"; }
              location = /length { return 200 "\$content_length \$content_type"; }
              location /private { auth_basic private; auth_basic_user_file $certificates/users; }
              location /back { proxy_pass http://127.0.0.1:$port/hello; }
              location /ranged { gzip off; }
            }
            server { listen 127.0.0.1:$tls ssl; ssl_certificate $certificates/cert.pem; ssl_certificate_key $certificates/key.pem;
              location / { return 200 "secret"; } }
            CONF);
        file_put_contents("$certificates/users", 'me:{PLAIN}word');
        chmod("$certificates/users", 0644);
        mkdir("$nginx->folder/html/private");
        mkdir("$nginx->folder/html/ranged");
        file_put_contents("$nginx->folder/html/private/file", 'for me');
        file_put_contents("$nginx->folder/html/ranged/file", str_repeat('0123456789', 100));
        file_put_contents("$nginx->folder/html/big", str_repeat(hash('sha256', 'big') . "\n", 100_000));
        chmod("$nginx->folder/html/private", 0755);
        chmod("$nginx->folder/html/ranged", 0755);
        $bad = Server::freePort();
        $badServer = External::php(__DIR__ . '/apps/bad_http_server.php', $bad);
        $proxy = Server::freePort();
        $proxyServer = External::php(__DIR__ . '/apps/proxy_server.php', $proxy);
        try {
            External::checks($this, 'http_client', [
                'nginx' => $port, 'tls' => $tls, 'bad' => $bad, 'proxy' => $proxy, 'certificate' => "$certificates/cert.pem",
                'big' => md5_file("$nginx->folder/html/big"), 'folder' => $nginx->folder,
            ]);
        } finally {
            array_map(unlink(...), glob("$certificates/*") ?: []);
            rmdir($certificates);
        }
    }
}
