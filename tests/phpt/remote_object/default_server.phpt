--TEST--
Remote objects: the default server is started once, is shared with forked processes, is replaced when it has died, and ends with its process
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/client.inc';
use Swoole\Coroutine;

/** The pids of a default server: a worker and its supervisor. */
function pids(Swoole\RemoteObject\Client $client): array
{
    $pids = [];
    Coroutine\run(static function () use ($client, &$pids): void {
        preg_match('/^PPid:\s*(\d+)/m', $client->call('file_get_contents', '/proc/self/status'), $found);
        $pids = [$client->call('getmypid'), (int) $found[1]];
    });
    return $pids;
}

$gone = static fn (array $pids): bool => wait_until(static fn (): bool => array_filter($pids, static fn (int $pid): bool => is_dir("/proc/$pid") && !preg_match('/^State:\s*Z/m', (string) @file_get_contents("/proc/$pid/status"))) === []);

// Of a process that is killed: itself, and what it has forked and left behind, which still holds its pipes.
$note = note_file();
$parent = pcntl_fork();
if ($parent === 0) {
    $pids = pids(remote_client(['log_level' => SWOOLE_LOG_NONE]));
    $left = pcntl_fork();
    if ($left === 0) {
        $shared = pids(swoole_get_default_remote_object_client());
        file_put_contents("$note.new", implode(' ', [getmypid(), $pids[1] === $shared[1] ? 'shared' : 'another', ...$pids]));
        rename("$note.new", $note);
        sleep(600);
    }
    pcntl_waitpid($left, $status);
    exit;
}
var_dump(wait_until(static fn (): bool => is_file($note)));
[$left, $shared, $worker, $supervisor] = explode(' ', file_get_contents($note));
unlink($note);
echo $shared, "\n";
posix_kill($parent, SIGKILL);
pcntl_waitpid($parent, $status);
var_dump($gone([(int) $worker, (int) $supervisor]));
posix_kill((int) $left, SIGKILL);

// Of a process that ends while a call blocks.
$parent = pcntl_fork();
if ($parent === 0) {
    $client = remote_client(['max_wait_time' => 1, 'log_level' => SWOOLE_LOG_NONE]);
    file_put_contents("$note.new", implode(' ', pids($client)));
    rename("$note.new", $note);
    Coroutine\run(static function () use ($client): void {
        $client->call('sleep', 600);
    });
}
var_dump(wait_until(static fn (): bool => is_file($note)));
$pids = array_map('intval', explode(' ', file_get_contents($note)));
unlink($note);
posix_kill($parent, SIGKILL);
pcntl_waitpid($parent, $status);
var_dump($gone($pids));

// One that has been killed: another is started, its socket is removed.
$first = pids($client = remote_client(['log_level' => SWOOLE_LOG_NONE]));
var_dump($client === swoole_get_default_remote_object_client());
posix_kill($first[1], SIGKILL);
var_dump($gone($first));
Coroutine\run(static fn () => print(thrown(static fn () => $client->call('getmypid')) . "\n"));
$second = pids(swoole_get_default_remote_object_client());
var_dump($second[1] !== $first[1], count(glob(swoole_get_default_remote_object_server_dir() . '/' . getmypid() . '-*.sock')));

swoole_library_set_option('remote_object_server', ['bootstrap' => '/no/such/file.php']);
posix_kill($second[1], SIGKILL);
$gone($second);
echo strtok(thrown(static fn () => swoole_init_default_remote_object_server()), '"'), "\n";
?>
--EXPECTF--
bool(true)
shared
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
Swoole\RemoteObject\Exception: The server of remote objects at unix:%s (0)
bool(true)
int(1)
%ASwoole\RemoteObject\Exception: The server of remote objects could not start: %s
