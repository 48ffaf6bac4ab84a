<?php

declare(strict_types=1);

/*
 * The control socket of a server: its commands, its limits, and who may use it.
 */

namespace Stampede\Tests\E2e;

/** What a server prints that does not start; empty when it does. */
function refusal(array $settings): string
{
    try {
        $server = new Server('control', $settings);
    } catch (\RuntimeException $exception) {
        return $exception->getMessage();
    }
    return Server::until(10, static fn (): bool => !$server->alive()) && $server->stop() === 1 ? $server->output() : '';
}

final class control_test extends EndToEndTest
{
    private static string $path;
    private static Control $control;
    private static Server $server;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-control-' . getmypid();
        mkdir($folder);
        self::$path = $path = "$folder/control.sock";
        $settings = ['worker_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path, 'max_wait_time' => 1, 'watchdog_timeout' => 0];

        // What the supervisor knows.
        self::$server = new Server('control', $settings);
        self::$control = new Control($path);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        rmdir($folder);
    }

    public function testStatusAndSettings(): void
    {
        [$path, $control, $server] = [self::$path, self::$control, self::$server];
        $this->same('the socket is its owner\'s alone', [0600, 'socket'], [fileperms($path) & 0777, filetype($path)]);
        Server::until(10, static fn (): bool => array_unique(array_column($control->ask(['workers'])['workers'], 'state')) === ['serving']);
        $status = $control->ask(['status']);
        $this->same('status', [$server->pid(), 'process', 3, [$server->port]], [$status['pid'], $status['mode'], count($status['pids']), array_column($status['ports'], 'port')]);
        $this->check('status: since when', abs($status['started'] - time()) < 30, json_encode($status['started']));
        $this->same('settings in force', [2, 1, 2 * 1024 * 1024, $path], array_map(static fn (string $name): mixed => $status['settings'][$name], ['worker_num', 'task_worker_num', 'package_max_length', 'control_socket']));
        $this->same('settings alone', $status['settings'], $control->ask(['settings'])['settings']);
        ask($server, '/');
        ask($server, '/');
        $workers = $control->ask(['workers'])['workers'];
        $this->same('workers: places', [[0, 1, 2], ['worker', 'worker', 'task_worker']], [array_column($workers, 'id'), array_column($workers, 'kind')]);
        $pids = array_column($workers, 'pid');
        sort($pids);
        $children = children($server->pid());
        sort($children);
        $this->same('workers: processes', $children, $pids);
        $this->same('workers: requests', 2, array_sum(array_column($workers, 'requests')));
        $memory = (int) preg_replace('~^.*\nVmRSS:\s+(\d+) kB.*$~s', '$1', file_get_contents("/proc/{$workers[0]['pid']}/status")) * 1024;
        $this->check('workers: memory', abs($workers[0]['rss'] - $memory) < 2 << 20, "{$workers[0]['rss']} $memory");
        $idle = new Peer($server->address());
        $named = null;
        Server::until(10, static function () use ($control, &$named): bool {
            $named = $control->ask(['connections']);
            return $named['total'] === 1 && count($named['connections']) === 1; // one that closes is counted for a moment
        });
        $this->same('connections', ['127.0.0.1', $server->port, 1], [$named['connections'][0]['address'] ?? null, $named['connections'][0]['server_port'] ?? null, count($named['connections'])]);
        $second = new Peer($server->address());
        $this->check('connections: a limit', Server::until(10, static function () use ($control): bool {
            $named = $control->ask(['connections', 'limit' => 1]);
            return $named['total'] === 2 && count($named['connections']) === 1;
        }));
        $stats = $control->ask(['stats']);
        $this->same('stats', [2, 2, 2], [$stats['connection_num'], $stats['request_count'], $stats['worker_num']]);
        $own = json_decode(ask($server, '/stats')[1], true);
        $this->check('stats: the descriptors of connections are above those of ports', $own['min_fd'] > 2 && $own['max_fd'] > $own['min_fd'], json_encode($own));
        $this->check('stats: messages between processes', $own['pipe_packet_msg_id'] >= 0 && !isset($own['task_queue_bytes']), json_encode($own));
    }

    public function testCoroutinesAndMemory(): void
    {
        [$server, $control] = [self::$server, self::$control];
        // What processes are asked.
        $waiting = new Peer($server->address());
        $waiting->send(["GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $found = [];
        $this->check('coroutines: where each waits', Server::until(10, static function () use ($control, &$found): bool {
            $found = $control->ask(['coroutines'])['workers'];
            return str_contains(json_encode($found), 'waitHere()');
        }), json_encode($found));
        $this->same('coroutines: of all processes', [0, 1, 2], array_column($found, 'id'));
        $place = array_values(array_filter($found, static fn (array $worker): bool => ($worker['coroutines']['total'] ?? 0) > 0))[0];
        $this->same('coroutines: state', ['waiting', 1], [$place['coroutines']['list'][0]['state'], count($control->ask(['coroutines', 'worker' => $place['id']])['workers'])]);
        $memory = $control->ask(['memory']);
        $this->check('memory of each process', $memory['supervisor']['php']['usage'] > 0 && count($memory['workers']) === 3 && min(array_column($memory['workers'], 'rss')) > 1 << 20
            && $memory['workers'][2]['php']['usage'] > 100_000, json_encode($memory));
        $before = $control->ask(['stats'])['pipe_packet_msg_id'];
        $control->ask(['memory']);
        $this->check('stats: questions are messages, too', $control->ask(['stats'])['pipe_packet_msg_id'] >= $before + 6);
        ask($server, '/tasks');
        $this->check('stats: tasks that wait', Server::until(5, static fn (): bool => $control->ask(['stats'])['task_queue_num'] === 4), json_encode($control->ask(['stats'])));
        $this->check('stats: and are begun', Server::until(10, static fn (): bool => $control->ask(['stats'])['task_queue_num'] === 0));
    }

    public function testABusyWorkerIsThere(): void
    {
        [$server, $control, $path] = [self::$server, self::$control, self::$path];
        // A worker that is busy.
        $busy = new Peer($server->address());
        $busy->send(["GET /busy HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('a busy worker is there', Server::until(10, static function () use ($control, &$found): bool {
            $found = $control->ask(['coroutines'])['workers'];
            return str_contains(json_encode($found), 'did not respond');
        }), json_encode($found));
        $errors = array_filter($found, static fn (array $worker): bool => isset($worker['error']));
        $started = microtime(true);
        $asking = new Control($path);
        $asking->send("{\"command\":\"coroutines\"}\n");
        $this->check('others are served meanwhile', is_array($control->ask(['stats'])) && microtime(true) - $started < 1.0, (string) (microtime(true) - $started));
        $this->same('it alone does not respond', [1, 3], [count($errors), count($found)]);
        $found = $control->ask(['coroutines'])['workers'];
        $took = microtime(true) - $started;
        $this->check('its time limit', $took > 1.5 && $took < 5.0, (string) $took);
        unset($asking);
    }

    public function testBadCommands(): void
    {
        [$control, $path] = [self::$control, self::$path];
        // Hostile input.
        $this->check('a line that is no JSON', str_contains($control->ask('{"command"')['error'] ?? '', 'JSON object'));
        $this->check('a line that is no object', str_contains($control->ask('5')['error'] ?? '', 'JSON object'));
        $this->check('nested too deeply', str_contains($control->ask(str_repeat('[', 30000) . str_repeat(']', 30000))['error'] ?? '', 'JSON object'));
        $this->check('without a command', str_contains($control->ask('{"a":1}')['error'] ?? '', 'missing'));
        $this->check('an unknown command', str_contains($control->ask(['nonsense'])['error'] ?? '', 'unknown command'));
        $this->check('a number that is none', str_contains($control->ask(['connections', 'limit' => 'many'])['error'] ?? '', 'whole numbers'));
        $this->check('a worker that is not there', str_contains($control->ask(['coroutines', 'worker' => 99])['error'] ?? '', 'no process'));
        $this->check('bytes that are no text', str_contains($control->ask("\x00\xff\xfe")['error'] ?? '', 'JSON object'));
        $long = new Control($path);
        $this->check('a line that is too long', str_contains($long->ask(str_repeat('x', 70_000))['error'] ?? '', 'at most') && $long->ended());
        unset($long);
        $many = [];
        for ($i = 0; $i < 15; $i++) {
            $many[] = new Control($path);
        }
        $this->check('too many clients', Server::until(5, static function () use ($path): bool {
            $one = new Control($path);
            return str_contains($one->ask(['stats'])['error'] ?? '', 'too many clients');
        }));
        $many = [];
        $this->check('the supervisor serves on', isset($control->ask(['stats'])['worker_num']));
    }

    public function testASecondServerIsRefused(): void
    {
        $path = self::$path;
        // A socket in use.
        $this->check('a second server is refused', str_contains(refusal(['control_socket' => $path]), 'another server uses it'), refusal(['control_socket' => $path]));
        $this->check('the first keeps its socket', isset((new Control($path))->ask(['stats'])['worker_num']));
    }

    public function testReload(): void
    {
        [$control, $server, $path] = [self::$control, self::$server, self::$path];
        // Reload and stop.
        $old = array_column($control->ask(['workers'])['workers'], 'pid');
        $this->same('reload', ['reloading' => true], $control->ask(['reload']));
        $this->check('reload: all are new', Server::until(20, static function () use ($control, $old): bool {
            $workers = $control->ask(['workers'])['workers'];
            return array_intersect($old, array_column($workers, 'pid')) === [] && array_column($workers, 'state') === ['serving', 'serving', 'serving'];
        }), json_encode($control->ask(['workers'])));
        $old = array_column($control->ask(['workers'])['workers'], 'pid');
        $this->same('reload_tasks', ['reloading' => true], $control->ask(['reload_tasks']));
        $this->check('reload_tasks: these alone', Server::until(20, static function () use ($control, $old): bool {
            $new = array_column($control->ask(['workers'])['workers'], 'pid');
            return count($new) === 3 && $new[2] > 0 && array_values(array_intersect($old, $new)) === [$old[0], $old[1]];
        }), json_encode([$old, $control->ask(['workers'])]));
        $this->same('stop', ['stopping' => true], $control->ask(['stop']));
        $this->check('stop: the server ends, the file goes', Server::until(10, static fn (): bool => !$server->alive()) && !file_exists($path), $server->output());
        $this->same('stop: well', 0, $server->stop());
        $this->check('stop: the client is closed', $control->ended());
        unset($server);
    }

    public function testTheSocketOfAKilledServer(): void
    {
        $path = self::$folder . '/killed.sock';
        $server = new Server('control', ['worker_num' => 1, 'control_socket' => $path]);
        $this->check('it serves', isset((new Control($path))->ask(['status'])['pid']));
        posix_kill($server->pid(), SIGKILL);
        Server::until(10, static fn (): bool => !$server->alive());
        $this->check('a killed server leaves its socket', file_exists($path));
        $next = new Server('control', ['worker_num' => 1, 'control_socket' => $path]);
        $answering = null;
        $this->check('the next one replaces it', Server::until(10, static function () use ($path, $next, &$answering): bool {
            try {
                $answering = (new Control($path))->ask(['status'])['pid'];
            } catch (\ErrorException) { // not replaced yet
            }
            return $answering === $next->pid();
        }), (string) $answering);
        $this->check('without task workers', str_contains((new Control($path))->ask(['reload_tasks'])['error'] ?? '', 'no task workers'));
        $this->same('the end', 0, $next->stop());
        unset($server, $next);
    }

    public function testSettingsThatAreRefused(): void
    {
        $folder = self::$folder;
        // Paths that are no good.
        foreach (['too long' => ["$folder/" . str_repeat('x', 200), '107 bytes'], 'a file' => [__FILE__, 'another kind'], 'no folder' => ["$folder/none/socket", 'No such file']] as $what => [$bad, $sentence]) {
            $seen = refusal(['control_socket' => $bad]);
            $this->check("$what: refused", str_contains($seen, $sentence), $seen);
        }
    }
}
