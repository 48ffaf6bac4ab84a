<?php

declare(strict_types=1);

/*
 * admin_server: what it tells of the processes, whom it tells, and where it may listen.
 */

namespace Stampede\Tests\E2e;

final class admin_test extends EndToEndTest
{
    public function testOnLoopback(): void
    {
        $port = Server::freePort();
        $server = new Server('control', ['worker_num' => 2, 'task_worker_num' => 1, 'admin_server' => "127.0.0.1:$port", 'max_wait_time' => 2]);
        $at = "tcp://127.0.0.1:$port";
        $this->check('it listens', Server::until(10, static fn (): bool => self::tell($at, '/api/get_version_info/worker-1')[0] === 200), $server->output());

        [$status, $info] = self::tell($at, '/api/get_version_info/master');
        $this->same('versions', [200, 0, PHP_VERSION], [$status, $info['code'], $info['data']['php']]);
        $pids = [];
        foreach (['worker-0', 'worker-1', 'task_worker-0', 'master', 'manager'] as $process) {
            $pids[$process] = self::tell($at, "/api/get_worker_info/$process")[1]['data']['pid'];
        }
        $this->same('each process tells of itself', [$server->pid(), $server->pid(), 4], [$pids['master'], $pids['manager'], count(array_unique($pids))]);
        $this->same('all of them', ['master', 'manager', 'worker-0', 'worker-1', 'task_worker-0'], array_keys(self::tell($at, '/api/get_resources/all')[1]['data']));
        $this->same('all workers', ['worker-0', 'worker-1'], array_keys(self::tell($at, '/api/get_timer_list/all_worker')[1]['data']));
        $memory = self::tell($at, '/api/get_server_memory_usage/master')[1]['data'];
        $this->same('memory', [['master', 'worker-0', 'worker-1', 'task_worker-0', 'total'], true], [array_keys($memory), min($memory) > 1 << 20]);
        $this->same('time of the processor', array_keys($memory), array_keys(self::tell($at, '/api/get_server_cpu_usage')[1]['data']));

        $waiting = new Peer($server->address());
        $waiting->send(["GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $places = '';
        $this->check('where coroutines are', Server::until(10, static function () use ($at, &$places): bool {
            $places = json_encode(self::tell($at, '/api/get_coroutine_list/all_worker')[1]['data']);
            return str_contains($places, 'waitHere') && !str_contains($places, '"args"');
        }), $places);
        $class = self::tell($at, '/api/get_class_info/worker-0?class_name=Swoole%5CServer%5CAdmin')[1]['data'];
        $this->same('a class', [true, true], [in_array(['name' => 'accessToken', 'modifiers' => 'private static'], $class['properties'], true), in_array('start', array_column($class['methods'], 'name'), true)]);
        $function = self::tell($at, '/api/get_function_info/worker-0?function_name=waitHere')[1]['data'];
        $this->same('a function', ['waitHere', 'control.php', true], [$function['name'], basename($function['filename']), $function['user_defined']]);
        $this->check('classes and functions', in_array('Swoole\Server', self::tell($at, '/api/get_declared_classes/worker-0')[1]['data']['classes'], true)
            && self::tell($at, '/api/get_defined_functions/worker-0')[1]['data']['user'] === ['waithere'], '');
        $this->check('objects by class', in_array('Swoole\Http\Server', array_column(self::tell($at, '/api/get_objects/worker-0')[1]['data'], 'class'), true), '');

        // What is refused, in JSON as well.
        foreach ([
            ['/', 404], ['/api', 404], ['/api/nothing/master', 404], ['/api/get_resources/worker-2', 404], ['/api/get_resources/all_reactor', 404], ['/api/get_resources/reactor-0', 404],
            ['/api/get_class_info/worker-0?class_name=Nothing', 404], ['/api/get_class_info/worker-0', 404], ['/api/get_class_info/worker-0?class_name[]=x', 404], ['/api/get_function_info/worker-0?function_name=nothing', 404],
            ['/api/get_static_property_value/worker-0?class_name=Swoole%5CServer%5CAdmin&property_name=accessToken', 501], ['/api/get_object_by_handle/worker-0?object_id=1', 501],
            ['/api/close_session/worker-0?session_id=1', 405],
        ] as [$path, $code]) {
            [$status, $told] = self::tell($at, $path);
            $this->same("refused: $path", [$code, $code, true], [$status, $told['code'], is_string($told['data']) && strlen($told['data']) > 10]);
        }
        $this->same('refused: a name that is not this machine\'s', 403, self::tell($at, '/api/get_resources', ['Host: rebound.example'])[0]);
        $this->same('refused: pages of other sites', [403, 403, 403], [
            self::tell($at, '/api/get_resources', ['Host: 127.0.0.1', 'Origin: http://example.com'])[0],
            self::tell($at, '/api/get_resources', ['Host: 127.0.0.1', 'Origin: null'])[0],
            self::tell($at, '/api/get_resources', ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site'])[0],
        ]);
        $this->same('a page of its own', 200, self::tell($at, '/api/get_resources', ["Host: localhost:$port", "Origin: http://localhost:$port", 'Sec-Fetch-Site: same-origin'])[0]);

        // A connection of either worker is closed from any process.
        $session = 0;
        $this->check('close_session', Server::until(10, static function () use ($at, &$session): bool {
            for ($session = 1; $session < 40; $session++) {
                if (self::tell($at, '/api/close_session/worker-0', ['Host: 127.0.0.1'], "session_id=$session")[1]['data'] === true) {
                    return true;
                }
            }
            return false;
        }) && $waiting->readToEnd(10) === '' && $waiting->ended(), (string) $session);
        $this->same('close_session: no number', 400, self::tell($at, '/api/close_session/worker-0', ['Host: 127.0.0.1'], 'session_id=x')[0]);
        $this->same('close_session: none there', 404, self::tell($at, '/api/close_session/worker-0', ['Host: 127.0.0.1'], 'session_id=99999')[0]);

        $this->check('its own process is replaced when it is killed', self::isReplaced($server, $at, $pids), $server->output());
        posix_kill($server->pid(), SIGKILL);
        $this->check('it ends with the supervisor', Server::until(10, static fn (): bool => @stream_socket_client($at) === false), '');
    }

    public function testToken(): void
    {
        $port = Server::freePort();
        $server = new Server('control', ['admin_server' => "0.0.0.0:$port", 'admin_server_token' => 'secret']);
        $at = "tcp://127.0.0.1:$port";
        $known = ['Host: anything.example', 'Authorization: Bearer secret'];
        $this->check('it listens', Server::until(10, static fn (): bool => self::tell($at, '/api/get_version_info/worker-0', $known)[0] === 200), $server->output());
        foreach ([['Host: 127.0.0.1'], ['Host: 127.0.0.1', 'Authorization: Bearer secre'], ['Host: 127.0.0.1', 'Authorization: secret'], ['Host: 127.0.0.1', 'Authorization: Bearer ']] as $fields) {
            $this->same('without the token: ' . ($fields[1] ?? ''), 401, self::tell($at, '/api/get_version_info/worker-0', $fields)[0]);
        }
        $this->same('it ends with the server', 0, $server->stop());
    }

    public function testUnixSocket(): void
    {
        $path = sys_get_temp_dir() . '/stampede-admin-' . getmypid() . '.sock';
        $listener = stream_socket_server("unix://$path");
        fclose($listener);  // its name stays
        $server = new Server('control', ['admin_server' => "unix:$path"]);
        $this->check('it listens where nobody does any more', Server::until(10, static fn (): bool => self::tell("unix://$path", '/api/get_version_info/master')[0] === 200), $server->output());
        $this->same('its socket is its owner\'s alone', 0600, fileperms($path) & 0777);
        $this->check('a second server does not take it', str_contains(whyNot('control', ['admin_server' => "unix:$path"]), 'Address already in use'), '');
        $this->same('its socket goes with it', [0, false], [$server->stop(), file_exists($path)]);
    }

    public function testRefusedAddresses(): void
    {
        foreach (['0.0.0.0:9502', '192.0.2.1:9502', '[::]:9502', 'example.com:9502'] as $address) {
            $this->check("refused without a token: $address", str_contains(whyNot('control', ['admin_server' => $address]), 'needs the option admin_server_token'), '');
        }
        foreach (['9502', '127.0.0.1', '127.0.0.1:', '127.0.0.1:99999', 'unix:relative', 'http://127.0.0.1:9502'] as $address) {
            $this->check("no address: $address", str_contains(whyNot('control', ['admin_server' => $address]), 'admin_server must be an address and a port'), '');
        }
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        $address = (string) stream_socket_get_name($taken, false);
        $this->check('a port that is taken stops the start', str_contains(whyNot('control', ['admin_server' => $address]), 'Address already in use'), '');
    }

    /** @param array<string, int> $known */
    private static function isReplaced(Server $server, string $at, array $known): bool
    {
        $own = array_values(array_diff(children($server->pid()), $known));
        return count($own) === 1 && posix_kill($own[0], SIGKILL)
            && Server::until(10, static fn (): bool => !in_array($own[0], children($server->pid()), true) && self::tell($at, '/api/get_version_info/master')[0] === 200);
    }

    /** @param list<string> $fields @return array{int, array<string, mixed>} */
    private static function tell(string $at, string $path, array $fields = ['Host: 127.0.0.1'], ?string $body = null): array
    {
        try {
            $peer = new Peer($at);
        } catch (\ErrorException) {
            return [0, ['code' => -1, 'data' => null]];
        }
        $length = $body === null ? '' : "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " . strlen($body) . "\r\n";
        $peer->send([($body === null ? 'GET' : 'POST') . " $path HTTP/1.1\r\n" . implode("\r\n", $fields) . "\r\n{$length}Connection: close\r\n\r\n$body"]);
        $received = $peer->readToEnd(20);
        $peer->close();
        $answers = $received === '' ? [] : Answer::all($received);
        return $answers === [] ? [0, ['code' => -1, 'data' => null]] : [$answers[0]->status, (array) json_decode($answers[0]->body, true)];
    }
}
