<?php

declare(strict_types=1);

/*
 * Chromium without a window: a page over HTTP/1 and over HTTP/2 with TLS that uploads a file, receives server-sent events, which it resumes,
 * and exchanges WebSocket messages, on connections of their own and on streams of HTTP/2.
 */

namespace Stampede\Tests\E2e;

/** What the page reports; null when it never does. @return array<string, mixed>|null */
function open_page(string $address, string $result): ?array
{
    $browser = new Browser(['--ignore-certificate-errors']);
    $browser->window(1000, 800)->open($address);
    if (!Server::until(90.0, static fn (): bool => is_file($result))) {
        return null;
    }
    $seen = json_decode((string) file_get_contents($result), true);
    unlink($result);
    return $seen;
}

final class browser_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        if (trim((string) shell_exec('command -v chromium')) === '') {
            $this->check('Chromium is there (the package chromium)', false);
            return;
        }
        $certificates = new Certificates();
        $tls = ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')];
        foreach (['http/1.1' => [], 'h2' => ['open_http2_protocol' => true] + $tls] as $protocol => $settings) {
            $result = $certificates->path('result.json');
            $server = new Server('browser', $settings + ['_result' => $result]);
            $seen = open_page(($protocol === 'h2' ? 'https' : 'http') . "://127.0.0.1:$server->port/", $result);
            if (!$this->check("$protocol: the page comes to its end", $seen !== null, $server->output())) {
                continue;
            }
            if (!$this->same("$protocol: without errors", [], $seen['errors'])) {
                $this->remark(Report::printable($server->output()));
                continue;
            }
            $this->same("$protocol: is what the page came by", $protocol, $seen['protocol']);
            $bytes = implode('', array_map(static fn (int $i): string => chr($i * 7 & 255), range(0, 255)));
            $this->same("$protocol: the upload", ['name' => 'näme.bin', 'type' => 'application/x-test', 'size' => 3 << 20, 'sum' => 3 << 20, 'first' => bin2hex(substr($bytes, 0, 4)), 'field' => 'väl€'], $seen['upload'] ?? null);
            $this->same("$protocol: the events, the last ones by a second request", array_map(static fn (int $i): array => ["$i", "number $i"], range(1, 5)), $seen['events'] ?? null);
            foreach (['closed_by_us' => [3001, '', true], 'closed_by_server' => [4001, 'as you wish', true]] as $which => $close) {
                $got = $seen[$which] ?? ['texts' => ['{}'], 'extensions' => null];
                $hello = json_decode($got['texts'][0] ?? '{}', true);
                $this->same("$protocol, $which: its request", ['protocol' => $protocol === 'h2' ? 'HTTP/2' : 'HTTP/1.1', 'origin' => true], array_intersect_key($hello, ['protocol' => 1, 'origin' => 1]));
                $this->check("$protocol, $which: on a stream of HTTP/2 where there is one", ($hello['stream'] > 0) === ($protocol === 'h2'), (string) json_encode($hello));
                $this->same("$protocol, $which: the texts", ['hello', 'the large one'], array_slice($got['texts'], 1));
                $this->same("$protocol, $which: the bytes, compressed", [100000, 100000 - 1 & 255, 100000 - 2 & 255, 0], $got['binary'] ?? null);
                $this->check("$protocol, $which: compression is agreed on", str_contains((string) $got['extensions'], 'permessage-deflate'), (string) $got['extensions']);
                $this->same("$protocol, $which: the end", $close, $got['close'] ?? null);
            }
            $this->same("$protocol: the server ends well", 0, $server->stop());
        }
    }
}
