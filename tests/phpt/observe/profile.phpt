--TEST--
The control socket's "profile": what computes and what waits, for one client at a time, and an end
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

function spin(): int
{
    for ($i = 0, $sum = 0, $until = microtime(true) + 0.4; microtime(true) < $until; $i++) {
        $sum += strlen(md5((string) $i)) + $i % 7;
    }
    return $sum;
}

function rest(): void
{
    usleep(400_000);
}

$control = tempnam(sys_get_temp_dir(), 'control');
unlink($control);
$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'control_socket' => $control, 'hook_flags' => SWOOLE_HOOK_ALL]);
$server->on('request', static function (Request $request, Response $response): void {
    $request->server['request_uri'] === '/rest' ? rest() : spin();
    $response->end('done');
});
serve_peers($server, static function () use ($server, $control): void {
    $peer = connect_to("tcp://127.0.0.1:$server->port"); // the worker is there when it has responded
    fwrite($peer, "GET /rest HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    stream_get_contents($peer);
    $ask = static function (array $command) use ($control): array {
        $socket = stream_socket_client("unix://$control", timeout: 20);
        fwrite($socket, json_encode($command) . "\n");
        return json_decode((string) fgets($socket), true);
    };
    $profile = static fn (int $session, int $action): array => $ask(['command' => 'profile', 'number' => $session << 2 | $action])['workers'][0]['profile'];
    $seen = static function (array $piece): array {
        $names = [];
        foreach ($piece['stacks'] as [$cpu, $wall, $frames]) {
            foreach ($frames as $frame) {
                $names[$piece['frames'][$frame][0]] = true;
            }
        }
        return $names;
    };
    echo $ask(['command' => 'profile'])['error'], "\n", $profile(5, 0)['error'], "\n";
    $profile(5, 2);
    echo $profile(6, 1)['error'], "\n";
    $wanted = ['spin' => true, 'rest' => true, '[waits: sleep]' => true];
    for ($until = hrtime(true) + 60e9; $wanted !== [] && hrtime(true) < $until;) {
        foreach (['/spin', '/rest'] as $path) {
            $peer = connect_to("tcp://127.0.0.1:$server->port");
            fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            stream_get_contents($peer);
        }
        $wanted = array_diff_key($wanted, $seen($profile(5, 2)));
    }
    echo 'missing: ', implode(' ', array_keys($wanted)), "\n";
    echo isset($profile(5, 0)['stacks']) ? "its end\n" : "no end\n", $profile(5, 0)['error'], "\n";
    echo 'a profile that is under way when the server stops: ', isset($profile(7, 1)['stacks']) ? "yes\n" : "no\n";
    $heap = $ask(['command' => 'heap', 'number' => 9 << 16 | 1000 << 2 | 1])['workers'][0]['heap'];
    echo 'a mark: ', $heap['objects'] > 0 ? "yes\n" : "no\n";
    $grown = $ask(['command' => 'heap', 'number' => 9 << 16 | 1000 << 2 | 2])['workers'][0]['heap'];
    echo 'what grew since: ', is_array($grown['classes']) && $grown['complete'] ? "yes\n" : "no\n";
    echo 'no longer: ', $ask(['command' => 'heap', 'number' => 9 << 16 | 1000 << 2 | 2])['workers'][0]['heap']['error'], "\n";
    echo 'nobody measures: ', $ask(['command' => 'growth', 'number' => 1])['workers'][0]['growth']['error'], "\n";
});
?>
--EXPECT--
"number" says what is wanted of the workers
no profile is being taken
another profile is being taken
missing: 
its end
no profile is being taken
a profile that is under way when the server stops: yes
a mark: yes
what grew since: yes
no longer: there is no earlier moment to compare with
nobody measures: does not measure growth
