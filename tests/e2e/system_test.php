<?php

declare(strict_types=1);

/*
 * Names asked for in coroutines: a real name server (dnsmasq), one that never answers, one that answers garbage; time limits,
 * cancelled questions, shared ones, the cache. Then all of System in the worker of a server.
 */

namespace Stampede\Tests\E2e;

const FAILED = 711;
const TIMED_OUT = 712;
const CANCELED = 10017;

/** @return array{resource, int} a bound UDP socket and its port */
function udp(): array
{
    $socket = stream_socket_server('udp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND);
    return [$socket, (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1)];
}

/** dnsmasq on a free port. @return array{resource, int, string} process, port, its log */
function nameServer(): array
{
    $log = tempnam(sys_get_temp_dir(), 'stampede-dns-');
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $port = Server::freePort();
        $command = ['/usr/sbin/dnsmasq', '--keep-in-foreground', '--no-resolv', '--no-hosts', '--conf-file=/dev/null', '--user=', '--pid-file=',
            "--port=$port", '--listen-address=127.0.0.1', '--bind-interfaces', '--log-queries', "--log-facility=$log", '--local=/test/', '--local-ttl=60',
            '--host-record=one.test,10.0.0.1', '--host-record=six.test,fd00::6', '--host-record=shared.test,10.0.0.3', '--host-record=kept.test,10.0.0.4',
            '--host-record=many.test,10.1.0.1', '--host-record=many.test,10.1.0.2', '--host-record=many.test,10.1.0.3'];
        $null = ['file', '/dev/null', 'w'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $null, $null], $pipes);
        $bound = Server::until(10, static fn (): bool => !proc_get_status($process)['running']
            || str_contains((string) file_get_contents('/proc/net/udp'), sprintf('0100007F:%04X 00000000:0000', $port)));
        if ($bound && proc_get_status($process)['running']) {
            return [$process, $port, $log];
        }
        proc_terminate($process);
        proc_close($process);
    }
    throw new \RuntimeException('dnsmasq did not start');
}

final class system_test extends EndToEndTest
{
    private static mixed $ended;
    private static mixed $seen;
    private static mixed $text;
    private static mixed $log;
    private static mixed $program;
    private static mixed $process;
    private static mixed $out;

    public static function setUpBeforeClass(): void
    {
        [$process, $port, $log] = nameServer();
        [$silent, $silentPort] = udp();
        [$garbage, $garbagePort] = udp();
        self::$out = $out = tempnam(sys_get_temp_dir(), 'stampede-dns-');
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $php = getenv('E2E_PHP') ? [getenv('E2E_PHP'), '-n'] : [PHP_BINARY, '-n', '-d', "extension=$module"];
        self::$program = $program = proc_open([...$php, __DIR__ . '/apps/dns.php', (string) $port, (string) $silentPort, (string) $garbagePort],
            [['file', '/dev/null', 'r'], ['file', $out, 'w'], ['file', $out, 'a']], $pipes);
        stream_set_blocking($garbage, false);
        self::$ended = Server::until(60, static function () use ($program, $garbage): bool {
            // Right numbers with nonsense behind them, and plain nonsense.
            while (($question = (string) stream_socket_recvfrom($garbage, 1500, 0, $peer)) !== '') {
                stream_socket_sendto($garbage, substr($question, 0, 2) . "\x81\x80" . str_repeat("\xff", 300), 0, $peer);
                stream_socket_sendto($garbage, random_bytes(20), 0, $peer);
                stream_socket_sendto($garbage, substr($question, 0, 2), 0, $peer);
            }
            return !proc_get_status($program)['running'];
        });
        self::$text = $text = (string) file_get_contents($out);
        self::$seen = json_decode($text, true);
        self::$log = $log;
        self::$process = $process;
    }

    public function testNames(): void
    {
        [$ended, $seen, $text, $log, $program, $process, $out] = [self::$ended, self::$seen, self::$text, self::$log, self::$program, self::$process, self::$out];
        $this->check('the program comes to its end', $ended && is_array($seen), $text);
        foreach ([
            'a' => ['10.0.0.1', 0], 'aaaa' => ['fd00::6', 0], 'lookup' => ['10.0.0.1', 0], 'old' => ['10.0.0.1', 0], 'of coroutine' => ['10.0.0.1', 0],
            'numeric' => ['192.0.2.7', 0], 'hosts' => ['127.0.0.1', 0], 'none' => [false, FAILED], 'no such family' => [false, FAILED],
            'long' => [false, FAILED], 'nul' => [false, FAILED], 'service' => [false, FAILED], 'shared' => ['10.0.0.3'],
            'silent' => [false, TIMED_OUT], 'cancelled' => [false, CANCELED], 'other waits on' => true, 'other' => [false, TIMED_OUT],
            'left open' => 0, 'coroutines' => 1, 'watched' => 0,
        ] as $what => $expected) {
            $this->same($what, $expected, $seen[$what] ?? null);
        }
        $all = $seen['all'][0] ?? [];
        sort($all);
        $this->same('all addresses of a name', ['10.1.0.1', '10.1.0.2', '10.1.0.3'], $all);
        $this->check('garbage is no answer', ($seen['garbage'][0] ?? null) === false && in_array($seen['garbage'][1], [FAILED, TIMED_OUT], true), json_encode($seen['garbage'] ?? null));
        Server::until(5, static fn (): bool => substr_count((string) file_get_contents($log), 'query[A] kept.test') >= 2);
        $asked = (string) file_get_contents($log);
        $this->same('fifty who ask at once are one question', 1, substr_count($asked, 'query[A] shared.test'));
        $this->same('the cache answers until it is cleared', 2, substr_count($asked, 'query[A] kept.test'));
        proc_close($program);
        proc_terminate($process);
        proc_close($process);
        unlink($out);
        unlink($log);
    }

    public function testInARequest(): void
    {
        // In a worker, which handles signals and descriptors of its own.
        $server = new Server('system');
        $expected = [7, 'written', ['code' => 2, 'signal' => 0, 'output' => "said\n"], '127.0.0.1', true, false];
        $this->same('files, commands, names and children in a request', [200, json_encode($expected)], ask($server, '/'));
        $before = $server->descriptors();
        $peers = [];
        for ($i = 0; $i < 30; $i++) {
            $peers[$i] = new Peer($server->address());
            $peers[$i]->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        }
        $right = 0;
        foreach ($peers as $peer) {
            $right += str_ends_with($peer->readToEnd(20.0), json_encode($expected)) ? 1 : 0;
            $peer->close();
        }
        $this->same('and in thirty at once', 30, $right);
        $this->check('nothing stays open', Server::until(10, static fn (): bool => $server->descriptors() <= $before), $server->descriptors() . " instead of $before");
        posix_kill($server->workerPid(), SIGTERM);
        Server::until(10, static fn (): bool => str_contains($server->output(), 'signal'));
        $this->same('a coroutine sees the signal that its worker drains at', "signal 15\n", $server->output());
        $this->same('the worker is replaced and serves', 200, ask($server, '/')[0]);
        $this->same('the server ends well', 0, $server->stop());
    }
}
