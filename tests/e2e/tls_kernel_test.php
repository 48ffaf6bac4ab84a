<?php

declare(strict_types=1);

/*
 * The kernel makes the TLS records (ssl_ktls): answers, files and closings are the same, with the ciphers it knows and with others, and a peer that
 * wants other keys is served. Where this machine's kernel has no TLS the rest runs in a guest whose kernel has.
 */

namespace Stampede\Tests\E2e;

final class tls_kernel_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $certificates = new Certificates();
        $of = ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key'), 'open_http2_protocol' => true];
        $tool = escapeshellarg(dirname(__DIR__, 2) . '/tools/with-kernel-tls');
        exec("$tool --check", $lines, $status);
        if ($status !== 0) {
            $server = new Server('tls_server', $of + ['ssl_ktls' => true]);
            $this->check('a kernel without TLS: one sentence in the log', Server::until(5.0, static fn (): bool => substr_count($server->output(), 'ssl_ktls has no effect') === 1), $server->output());
            $this->check('and answers all the same', str_starts_with((string) shell_exec("curl -sk https://127.0.0.1:$server->port/"), 'secret'));
            $server->stop();
            $server = new Server('tls_server', $of);
            shell_exec("curl -sk https://127.0.0.1:$server->port/");
            $this->check('who did not ask for it hears nothing', !str_contains($server->output(), 'ktls'));
            $server->stop();

            exec("STAMPEDE_IN_GUEST=1 $tool " . implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, ...$_SERVER['argv']])), $lines, $status);
            if ($status === 125) {
                $this->remark("NOT CHECKED: this machine's kernel has no TLS, and it forbids the guest whose kernel has");
                return;
            }
            if (getenv('STAMPEDE_IN_GUEST') !== false || preg_match('/^(\d+) passed, (\d+) failed$/', (string) array_pop($lines), $sum) !== 1) {
                $this->check('the guest comes to its end', false, implode("\n", array_slice($lines, -20)) . " (status $status)");
                return;
            }
            foreach ($lines as $line) {
                if (preg_match('/^(not )?ok (.*)/', $line, $found) === 1) {
                    $this->check("in a guest: $found[2]", $found[1] === '');
                } else {
                    $this->remark(preg_replace('/^# */', '', $line));
                }
            }
            return;
        }

        /** A count of the kernel: TlsTxSw (connections ever given to it), TlsCurrTxSw (at present). */
        $count = static fn (string $name): int => preg_match("/^$name\\s+(\\d+)/m", (string) file_get_contents('/proc/net/tls_stat'), $found) === 1 ? (int) $found[1] : -1;
        /** @return array{string, int} what curl read, and how many connections the kernel was given for it */
        $get = static function (int $port, string $path, string $options = '--http1.1') use ($count): array {
            $before = $count('TlsTxSw');
            $body = (string) shell_exec("curl -sk --max-time 60 $options " . escapeshellarg("https://127.0.0.1:$port$path"));
            return [$body, $count('TlsTxSw') - $before];
        };

        $files = $certificates->path('files');
        mkdir($files);
        file_put_contents("$files/large.bin", $large = random_bytes((6 << 20) + 12345));
        file_put_contents("$files/small.txt", 'small');
        $static = $of + ['enable_static_handler' => true, 'document_root' => $files];
        $pieces = implode('', array_map(static fn (int $i): string => str_repeat("$i,", 1 + $i % 997), range(0, 2999)));

        $server = new Server('tls_server', $static);
        foreach (['--http1.1', '--http2', '--http1.1 --tls-max 1.2', '--http2 --tls-max 1.2', '--http1.1 --limit-rate 8M', '--http2 --limit-rate 8M'] as $options) {
            foreach (['/large.bin' => $large, '/small.txt' => 'small', '/pieces' => $pieces, '/big' => str_repeat('0123456789', 300_000)] as $path => $expected) {
                [$body, $given] = $get($server->port, $path, $options);
                $this->same("$path with curl $options comes whole, from the kernel", [md5($expected), 1], [md5($body), $given]);
            }
        }
        [$parts] = $get($server->port, '/large.bin', '--http1.1 -r 5-9,1000000-1000004');
        $this->check('parts of a file', str_contains($parts, substr($large, 5, 5)) && str_contains($parts, substr($large, 1_000_000, 5)));
        [$both, $given] = $get($server->port, '/large.bin', '--http1.1 ' . escapeshellarg("https://127.0.0.1:$server->port/small.txt"));
        $this->same('two files on one connection', [md5('small' . $large), 1], [md5($both), $given]);

        foreach (['--tls13-ciphers TLS_CHACHA20_POLY1305_SHA256', '--tls-max 1.2 --ciphers ECDHE-ECDSA-CHACHA20-POLY1305'] as $options) {
            [$body, $given] = $get($server->port, '/large.bin', "--http1.1 $options");
            $this->same("a cipher that the kernel does not know ($options)", [md5($large), 0], [md5($body), $given]);
        }

        /** What openssl s_client says while these lines are typed, each when the one before was answered or taken. */
        $type = static function (int $port, array $lines): string {
            $program = proc_open(['openssl', 's_client', '-connect', "127.0.0.1:$port", '-crlf'], [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes) ?: throw new \RuntimeException('openssl cannot be run.');
            stream_set_blocking($pipes[1], false);
            $said = '';
            $hear = static function (string $text) use (&$said, $pipes): bool {
                return Server::until(15.0, static function () use (&$said, $pipes, $text): bool {
                    $said .= (string) stream_get_contents($pipes[1]);
                    return str_contains($said, $text) || feof($pipes[1]);
                });
            };
            $hear('Verify return code');
            foreach ($lines as $line => $answer) {
                @fwrite($pipes[0], $line);
                $hear($answer);
            }
            fclose($pipes[0]);
            $hear("\0");
            proc_terminate($program);
            proc_close($program);
            return $said;
        };
        $question = "GET / HTTP/1.1\nHost: a\nConnection: close\n\n";
        $this->check('the connection ends with the closing alert', str_contains($said = $type($server->port, [$question => 'closed']), 'closed') && !str_contains($said, 'unexpected eof'), $said);
        $said = $type($server->port, ["K\n" => 'KEYUPDATE', $question => 'secret of']);
        $this->check('a peer that asks for new keys is answered', str_contains($said, 'KEYUPDATE') && str_contains($said, 'secret of'), $said);
        $this->check('with what it can read', !str_contains($said, 'bad record') && !str_contains($said, 'decryption failed'), $said);
        $this->same('others are served', 'small', $get($server->port, '/small.txt')[0]);

        for ($i = 0; $i < 20; $i++) {
            shell_exec("curl -sk --http1.1 https://127.0.0.1:$server->port/large.bin | head -c 100000 >/dev/null");
        }
        $this->check('connections that were broken off leave nothing in the kernel', Server::until(20.0, static fn (): bool => $count('TlsCurrTxSw') === 0), (string) $count('TlsCurrTxSw'));
        $this->same('the server ends well', 0, $server->stop());

        $server = new Server('tls_server', ['ssl_ktls' => false] + $static);
        $this->same('off by ssl_ktls', [md5($large), 0], [md5(($read = $get($server->port, '/large.bin'))[0]), $read[1]]);
        $said = $type($server->port, ["K\n" => 'KEYUPDATE', $question => 'secret of']);
        $this->check('without it a peer gets its new keys', str_contains($said, 'secret of'), $said);
        $server->stop();
        $server = new Server('tls_server', $of);
        $this->same('off where the server sends no files itself', 0, $get($server->port, '/small.txt')[1]);
        $server->stop();
        $server = new Server('tls_server', $of + ['ssl_ktls' => true]);
        $this->same('unless ssl_ktls asks for it', 1, $get($server->port, '/')[1]);
        $server->stop();

        array_map(unlink(...), glob("$files/*") ?: []);
        rmdir($files);
    }
}
