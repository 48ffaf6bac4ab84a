<?php

declare(strict_types=1);

/* A request that its worker gave up gets its response from another process, also when the workers were replaced meanwhile: plain, by TLS, over HTTP/2. */

namespace Stampede\Tests\E2e;

final class remote_responses_test extends EndToEndTest
{
    public function testPlain(): void
    {
        $this->respondAcrossReload([], 'http', '--http1.1', 'response 0 of 0');
    }

    public function testTls(): void
    {
        $this->respondAcrossReload(self::certificate(), 'https', '--http1.1', 'response 0 of 0');
    }

    public function testHttp2(): void
    {
        $this->respondAcrossReload([], 'http', '--http2-prior-knowledge', 'response 0 of 1');
    }

    public function testHttp2WithTls(): void
    {
        $this->respondAcrossReload(self::certificate(), 'https', '--http2', 'response 0 of 1');
    }

    public function testOfAThousandRequestsAtOnceEachGetsItsOwn(): void
    {
        $server = new Server('remote_responses_many');
        $ask = static fn (string $path): string => ask($server, $path)[1];
        $clients = [];
        for ($i = 0; $i < 1000; $i++) {
            $clients[$i] = stream_socket_client("tcp://127.0.0.1:{$server->port}");
            fwrite($clients[$i], "GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
        $this->check('all requests wait', Server::until(20, static fn (): bool => $ask('/count') === '1000'));
        $ask('/release');
        $seen = [];
        $end = microtime(true) + 20;
        foreach ($clients as $client) {
            stream_set_timeout($client, max(0, (int) ($end - microtime(true))), 1);
            $seen[] = preg_match('/\r\n\r\nfor (\d+)$/D', (string) stream_get_contents($client), $found) === 1 ? $found[1] : 'nothing';
        }
        $this->same('each client has a response of its own', 1000, count(array_unique(array_diff($seen, ['nothing']))));
        $this->same('and only the first one that was made', '1000 1000', $ask('/results'));
        unset($server);
    }

    /** @return array<string, string> */
    private static function certificate(): array
    {
        static $certificates;
        $certificates ??= new Certificates();
        return ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')];
    }

    /** @param array<string, string> $settings */
    private function respondAcrossReload(array $settings, string $scheme, string $protocol, string $expected): void
    {
        $server = new Server('remote_responses', $settings);
        $curl = static fn (string $path, string $options = ''): string => "exec curl -sk --max-time 60 $options $scheme://127.0.0.1:{$server->port}$path";
        $ask = static fn (string $path): string => (string) shell_exec($curl($path));
        $clients = [];
        for ($i = 0; $i < 3; $i++) {
            $clients[$i] = proc_open($curl('/held', $protocol), [1 => ['pipe', 'w']], $pipes[$i]);
        }
        $this->check('the requests wait', Server::until(20, static fn (): bool => $ask('/count') === '3'));
        $before = $ask('/pid');
        posix_kill($server->pid(), SIGUSR1);
        $this->check('the worker is replaced meanwhile', Server::until(20, static fn (): bool => !in_array($ask('/pid'), ['', $before], true)));
        $ask('/release');
        foreach ($clients as $i => $client) {
            $this->same('the first response that was made, once', $expected, stream_get_contents($pipes[$i][1]));
            proc_close($client);
        }
        unset($server);
    }
}
