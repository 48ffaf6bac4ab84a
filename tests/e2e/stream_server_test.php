<?php

declare(strict_types=1);

/* Stream servers: thousands of connections with every byte checked, a killed worker, and clients of Redis and MQTT. */

namespace Stampede\Tests\E2e;

const PROCESSES = 4;

/**
 * The loads beside each other; what they have seen, added up.
 *
 * @param ?callable $connected when all connections are there, before the first packet
 * @param ?callable $served when each of them has had a packet
 */
function load(int $port, int $connections, float $seconds, ?callable $connected = null, ?callable $served = null): array
{
    $loads = [];
    foreach (range(1, PROCESSES) as $seed) {
        $command = [PHP_BINARY, '-n', __DIR__ . '/apps/stream_load.php', (string) $port, (string) ($connections / PROCESSES), (string) $seconds, (string) $seed];
        $loads[] = [proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes), $pipes[1], $pipes[0]];
    }
    foreach ([$connected, $served] as $meanwhile) {
        foreach ($loads as [, $output]) {
            fgets($output);
        }
        if ($meanwhile !== null) {
            $meanwhile();
        }
        foreach ($loads as [, , $input]) {
            fwrite($input, "go on\n");
        }
    }
    $sum = ['messages' => 0, 'wrong' => 0, 'silent' => 0, 'kept' => [], 'broken' => []];
    foreach ($loads as [$process, $output]) {
        $seen = json_decode((string) fgets($output), true) ?? ['messages' => 0, 'wrong' => 1, 'silent' => 0, 'kept' => [], 'broken' => []];
        foreach (['messages', 'wrong', 'silent'] as $key) {
            $sum[$key] += $seen[$key];
        }
        foreach (['kept', 'broken'] as $key) {
            foreach ($seen[$key] as $pid => $count) {
                $sum[$key][$pid] = ($sum[$key][$pid] ?? 0) + $count;
            }
        }
        proc_close($process);
    }
    return $sum;
}

/** What the server says for itself. */
function stats(Server $server): array
{
    $socket = stream_socket_client($server->address());
    stream_set_timeout($socket, 10);
    fwrite($socket, pack('N', 5) . 'stats');
    $head = stream_get_contents($socket, 8);
    return json_decode((string) stream_get_contents($socket, unpack('N', $head)[1] - 4), true) ?? [];
}

final class stream_server_test extends EndToEndTest
{
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('stream_server', ['worker_num' => 3]);
    }

    public function testManyConnections(): void
    {
        $server = self::$server;
        $most = 0;
        $seen = load($server->port, 2000, 5, static function () use ($server, &$most): void {
            Server::until(20, static function () use ($server, &$most): bool {
                $most = stats($server)['connection_num'] ?? 0;
                return $most >= 2000;
            });
        });
        $this->check('2000 connections at once', $most >= 2000, (string) $most);
        $this->same('every byte came back, in order', [0, 0, []], [$seen['wrong'], $seen['silent'], $seen['broken']]);
        $this->check('and there were many packets', $seen['messages'] > 10000, (string) $seen['messages']);
        $this->same('all connections lasted', 2000, array_sum($seen['kept']));
        $this->check('each worker had some of them', count($seen['kept']) === 3 && min($seen['kept']) > 200, json_encode($seen['kept']));
        $this->check('and the server has closed them', Server::until(10, static fn (): bool => stats($server)['connection_num'] === 1));
    }

    public function testAKilledWorker(): void
    {
        $server = self::$server;
        $victim = 0;
        $seen = load($server->port, 400, 4, null, static function () use ($server, &$victim): void {
            $victim = workers($server, 3)[1];
            posix_kill($victim, SIGKILL);
        });
        $this->check('the connections of a killed worker end', ($seen['broken'][$victim] ?? 0) > 20, json_encode($seen));
        $this->same('and no others', [$victim], array_keys($seen['broken']));
        $this->same('whose bytes are right', [0, 0], [$seen['wrong'], $seen['silent']]);
        $this->check('another worker takes its place', Server::until(5, static fn (): bool => count(children($server->pid())) === 3 && !in_array($victim, children($server->pid()), true)));
        $seen = load($server->port, 100, 1);
        $this->same('and serves', [100, 0], [array_sum($seen['kept']), $seen['wrong']]);
        $this->same('the server ends well', 0, $server->stop());
        unset($server);
    }

    public function testClientsThatAreNotOurs(): void
    {
        $server = new Server('stream_server', ['_kind' => 'redis']);
        $redis = static fn (string ...$words): string => self::runOf('timeout', '20', 'redis-cli', '-p', (string) $server->port, ...$words);
        $this->same('redis-cli: SET', 'OK', $redis('SET', 'key', 'a value of several words'));
        $this->same('redis-cli: GET', 'a value of several words', $redis('get', 'key'));
        $this->same('redis-cli: what is not there', '', $redis('GET', 'none'));
        $this->same('redis-cli: a list and a number', ['key', '1'], [$redis('KEYS', '*'), $redis('DBSIZE')]);
        $this->same('redis-cli: an unknown command', "ERR unknown command 'FLUSHALL'", trim($redis('FLUSHALL')));
        unset($server);
    }

    public function testMosquittoSubscribers(): void
    {
        $server = new Server('stream_server', ['_kind' => 'mqtt', 'worker_num' => 3]);
        $folder = External::folder();
        $subscribers = [];
        for ($i = 0; $i < 6; $i++) {
            $command = ['stdbuf', '-oL', 'timeout', '30', 'mosquitto_sub', '-p', (string) $server->port, '-t', 'news', '-C', '20', '-d'];
            $subscribers[] = proc_open($command, [['file', '/dev/null', 'r'], ['file', "$folder/$i", 'w'], STDERR], $pipes);
        }
        $this->check('mosquitto: subscribers', Server::until(15, static fn (): bool => count(array_filter(range(0, 5), static fn (int $i): bool => str_contains((string) file_get_contents("$folder/$i"), 'Subscribed'))) === 6));
        $words = array_map(static fn (int $i): string => "message $i " . str_repeat('x', $i * 50), range(1, 20));
        $publisher = proc_open(['timeout', '30', 'mosquitto_pub', '-p', (string) $server->port, '-t', 'news', '-l'], [['pipe', 'r'], STDERR, STDERR], $pipes);
        fwrite($pipes[0], implode("\n", $words) . "\n");
        fclose($pipes[0]);
        $this->same('mosquitto: a publisher', 0, proc_close($publisher));
        foreach ($subscribers as $i => $process) {
            $status = proc_close($process);
            $got = array_values(array_filter(file("$folder/$i", FILE_IGNORE_NEW_LINES), static fn (string $line): bool => str_starts_with($line, 'message ')));
            $this->check("mosquitto: subscriber $i gets all, in order", $status === 0 && $got === $words, "$status " . json_encode($got));
        }
        unset($server);
        array_map(unlink(...), glob("$folder/*") ?: []);
        rmdir($folder);
    }

    private static function runOf(string ...$command): string
    {
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
        return implode("\n", $lines) . ($status === 0 ? '' : " (status $status)");
    }
}
