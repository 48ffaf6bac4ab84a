<?php

declare(strict_types=1);

/*
 * The control socket of a server: its commands, its limits, and who may use it.
 */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

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

$report = new Report();
$folder = sys_get_temp_dir() . '/stampede-control-' . getmypid();
mkdir($folder);
$path = "$folder/control.sock";
$settings = ['worker_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path, 'max_wait_time' => 1, 'watchdog_timeout' => 0];

// What the supervisor knows.
$server = new Server('control', $settings);
$control = new Control($path);
$report->same('the socket is its owner\'s alone', [0600, 'socket'], [fileperms($path) & 0777, filetype($path)]);
Server::until(10, static fn (): bool => array_unique(array_column($control->ask(['workers'])['workers'], 'state')) === ['serving']);
$status = $control->ask(['status']);
$report->same('status', [$server->pid(), 'process', 3, [$server->port]], [$status['pid'], $status['mode'], count($status['pids']), array_column($status['ports'], 'port')]);
$report->check('status: since when', abs($status['started'] - time()) < 30, json_encode($status['started']));
$report->same('settings in force', [2, 1, 2 * 1024 * 1024, $path], array_map(static fn (string $name): mixed => $status['settings'][$name], ['worker_num', 'task_worker_num', 'package_max_length', 'control_socket']));
$report->same('settings alone', $status['settings'], $control->ask(['settings'])['settings']);
ask($server, '/');
ask($server, '/');
$workers = $control->ask(['workers'])['workers'];
$report->same('workers: places', [[0, 1, 2], ['worker', 'worker', 'task_worker']], [array_column($workers, 'id'), array_column($workers, 'kind')]);
$pids = array_column($workers, 'pid');
sort($pids);
$children = children($server->pid());
sort($children);
$report->same('workers: processes', $children, $pids);
$report->same('workers: requests', 2, array_sum(array_column($workers, 'requests')));
$memory = (int) preg_replace('~^.*\nVmRSS:\s+(\d+) kB.*$~s', '$1', file_get_contents("/proc/{$workers[0]['pid']}/status")) * 1024;
$report->check('workers: memory', abs($workers[0]['rss'] - $memory) < 2 << 20, "{$workers[0]['rss']} $memory");
$idle = new Peer($server->address());
$named = null;
Server::until(10, static function () use ($control, &$named): bool {
    $named = $control->ask(['connections']);
    return $named['total'] === 1;
});
$report->same('connections', ['127.0.0.1', $server->port, 1], [$named['connections'][0]['address'] ?? null, $named['connections'][0]['server_port'] ?? null, count($named['connections'])]);
$second = new Peer($server->address());
$report->check('connections: a limit', Server::until(10, static function () use ($control): bool {
    $named = $control->ask(['connections', 'limit' => 1]);
    return $named['total'] === 2 && count($named['connections']) === 1;
}));
$stats = $control->ask(['stats']);
$report->same('stats', [2, 2, 2], [$stats['connection_num'], $stats['request_count'], $stats['worker_num']]);
$own = json_decode(ask($server, '/stats')[1], true);
$report->check('stats: the descriptors of connections are above those of ports', $own['min_fd'] > 2 && $own['max_fd'] > $own['min_fd'], json_encode($own));
$report->check('stats: messages between processes', $own['pipe_packet_msg_id'] >= 0 && !isset($own['task_queue_bytes']), json_encode($own));

// What processes are asked.
$waiting = new Peer($server->address());
$waiting->send(["GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"]);
$found = [];
$report->check('coroutines: where each waits', Server::until(10, static function () use ($control, &$found): bool {
    $found = $control->ask(['coroutines'])['workers'];
    return str_contains(json_encode($found), 'waitHere()');
}), json_encode($found));
$report->same('coroutines: of all processes', [0, 1, 2], array_column($found, 'id'));
$place = array_values(array_filter($found, static fn (array $worker): bool => ($worker['coroutines']['total'] ?? 0) > 0))[0];
$report->same('coroutines: state', ['waiting', 1], [$place['coroutines']['list'][0]['state'], count($control->ask(['coroutines', 'worker' => $place['id']])['workers'])]);
$memory = $control->ask(['memory']);
$report->check('memory of each process', $memory['supervisor']['php']['usage'] > 0 && count($memory['workers']) === 3 && min(array_column($memory['workers'], 'rss')) > 1 << 20
    && $memory['workers'][2]['php']['usage'] > 100_000, json_encode($memory));
$before = $control->ask(['stats'])['pipe_packet_msg_id'];
$control->ask(['memory']);
$report->check('stats: questions are messages, too', $control->ask(['stats'])['pipe_packet_msg_id'] >= $before + 6);
ask($server, '/tasks');
$report->check('stats: tasks that wait', Server::until(5, static fn (): bool => $control->ask(['stats'])['task_queue_num'] === 4), json_encode($control->ask(['stats'])));
$report->check('stats: and are begun', Server::until(10, static fn (): bool => $control->ask(['stats'])['task_queue_num'] === 0));

// A worker that is busy.
$busy = new Peer($server->address());
$busy->send(["GET /busy HTTP/1.1\r\nHost: a\r\n\r\n"]);
$report->check('a busy worker is there', Server::until(10, static function () use ($control, &$found): bool {
    $found = $control->ask(['coroutines'])['workers'];
    return str_contains(json_encode($found), 'did not respond');
}), json_encode($found));
$errors = array_filter($found, static fn (array $worker): bool => isset($worker['error']));
$started = microtime(true);
$asking = new Control($path);
$asking->send("{\"command\":\"coroutines\"}\n");
$report->check('others are served meanwhile', is_array($control->ask(['stats'])) && microtime(true) - $started < 1.0, (string) (microtime(true) - $started));
$report->same('it alone does not respond', [1, 3], [count($errors), count($found)]);
$found = $control->ask(['coroutines'])['workers'];
$took = microtime(true) - $started;
$report->check('its time limit', $took > 1.5 && $took < 5.0, (string) $took);
unset($asking);

// Hostile input.
$report->check('a line that is no JSON', str_contains($control->ask('{"command"')['error'] ?? '', 'JSON object'));
$report->check('a line that is no object', str_contains($control->ask('5')['error'] ?? '', 'JSON object'));
$report->check('nested too deeply', str_contains($control->ask(str_repeat('[', 30000) . str_repeat(']', 30000))['error'] ?? '', 'JSON object'));
$report->check('without a command', str_contains($control->ask('{"a":1}')['error'] ?? '', 'missing'));
$report->check('an unknown command', str_contains($control->ask(['nonsense'])['error'] ?? '', 'unknown command'));
$report->check('a number that is none', str_contains($control->ask(['connections', 'limit' => 'many'])['error'] ?? '', 'whole numbers'));
$report->check('a worker that is not there', str_contains($control->ask(['coroutines', 'worker' => 99])['error'] ?? '', 'no process'));
$report->check('bytes that are no text', str_contains($control->ask("\x00\xff\xfe")['error'] ?? '', 'JSON object'));
$long = new Control($path);
$report->check('a line that is too long', str_contains($long->ask(str_repeat('x', 70_000))['error'] ?? '', 'at most') && $long->ended());
unset($long);
$many = [];
for ($i = 0; $i < 15; $i++) {
    $many[] = new Control($path);
}
$report->check('too many clients', Server::until(5, static function () use ($path): bool {
    $one = new Control($path);
    return str_contains($one->ask(['stats'])['error'] ?? '', 'too many clients');
}));
$many = [];
$report->check('the supervisor serves on', isset($control->ask(['stats'])['worker_num']));

// A socket in use.
$report->check('a second server is refused', str_contains(refusal(['control_socket' => $path]), 'another server uses it'), refusal(['control_socket' => $path]));
$report->check('the first keeps its socket', isset((new Control($path))->ask(['stats'])['worker_num']));

// Reload and stop.
$old = array_column($control->ask(['workers'])['workers'], 'pid');
$report->same('reload', ['reloading' => true], $control->ask(['reload']));
$report->check('reload: all are new', Server::until(20, static function () use ($control, $old): bool {
    $workers = $control->ask(['workers'])['workers'];
    return array_intersect($old, array_column($workers, 'pid')) === [] && array_column($workers, 'state') === ['serving', 'serving', 'serving'];
}), json_encode($control->ask(['workers'])));
$old = array_column($control->ask(['workers'])['workers'], 'pid');
$report->same('reload_tasks', ['reloading' => true], $control->ask(['reload_tasks']));
$report->check('reload_tasks: these alone', Server::until(20, static function () use ($control, $old): bool {
    $new = array_column($control->ask(['workers'])['workers'], 'pid');
    return count($new) === 3 && $new[2] > 0 && array_values(array_intersect($old, $new)) === [$old[0], $old[1]];
}), json_encode([$old, $control->ask(['workers'])]));
$report->same('stop', ['stopping' => true], $control->ask(['stop']));
$report->check('stop: the server ends, the file goes', Server::until(10, static fn (): bool => !$server->alive()) && !file_exists($path), $server->output());
$report->same('stop: well', 0, $server->stop());
$report->check('stop: the client is closed', $control->ended());
unset($server);

// What a killed server leaves.
$server = new Server('control', ['worker_num' => 1, 'control_socket' => $path]);
$report->check('it serves', isset((new Control($path))->ask(['status'])['pid']));
posix_kill($server->pid(), SIGKILL);
Server::until(10, static fn (): bool => !$server->alive());
$report->check('a killed server leaves its socket', file_exists($path));
$next = new Server('control', ['worker_num' => 1, 'control_socket' => $path]);
$answering = null;
$report->check('the next one replaces it', Server::until(10, static function () use ($path, $next, &$answering): bool {
    try {
        $answering = (new Control($path))->ask(['status'])['pid'];
    } catch (\ErrorException) { // not replaced yet
    }
    return $answering === $next->pid();
}), (string) $answering);
$report->check('without task workers', str_contains((new Control($path))->ask(['reload_tasks'])['error'] ?? '', 'no task workers'));
$report->same('the end', 0, $next->stop());
unset($server, $next);

// Paths that are no good.
foreach (['too long' => ["$folder/" . str_repeat('x', 200), '107 bytes'], 'a file' => [__FILE__, 'another kind'], 'no folder' => ["$folder/none/socket", 'No such file']] as $what => [$bad, $sentence]) {
    $seen = refusal(['control_socket' => $bad]);
    $report->check("$what: refused", str_contains($seen, $sentence), $seen);
}
rmdir($folder);
$report->finish();
