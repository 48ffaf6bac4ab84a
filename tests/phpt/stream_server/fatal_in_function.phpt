--TEST--
A fatal error in dispatch_func or package_length_func: what is under way is finished, the worker is replaced
--EXTENSIONS--
pcntl
posix
--INI--
display_errors=0
log_errors=0
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
// The engine frees no objects after a fatal error, so that leaks cannot be looked for here.
require __DIR__ . '/peers.inc';

use Swoole\{Atomic, Coroutine, Server};

$log = tempnam(sys_get_temp_dir(), 'log');

function serve_and_fail(string $option, callable $error, string $log): void
{
    $failing = new Atomic();
    $fail = static function (string $data) use ($failing, $error): void {
        if ($data === 'fail' && $failing->cmpset(0, getmypid())) {
            $error();
        }
    };
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => 2, 'log_file' => $log, 'max_wait_time' => 10, 'open_length_check' => true, ...$option === 'dispatch_func' ? [
        'package_length_func' => strlen(...),
        'dispatch_func' => static function (Server $server, int $fd, int $type, string $data = '') use ($fail): int {
            $fail($data);
            return $server->worker_id;
        },
    ] : [
        'package_length_func' => static function (string $data) use ($fail): int {
            $fail($data);
            return strlen($data);
        },
    ]]);
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($failing): void {
        while ($data === 'wait' && $failing->get() === 0) {
            Coroutine::sleep(0.002);
        }
        $server->send($fd, getmypid() . "\n");
    });
    $ask = static function (string $data) use ($server) {
        $peer = connect_to("tcp://127.0.0.1:$server->port");
        fwrite($peer, $data);
        return $peer;
    };
    serve_peers($server, static function () use ($ask, $option, $failing): void {
        for ($neighbours = []; count($neighbours) < 8;) {
            $neighbours[] = $ask('wait');
        }
        $peer = $ask('fail');
        $answered = count(array_filter($neighbours, static fn ($neighbour): bool => (int) fgets($neighbour) > 0));
        echo "$option: $answered neighbours are answered, the worker is replaced: ";
        var_dump(wait_for(static fn (): bool => !posix_kill($failing->get(), 0)) && fgets($ask('pid')) > 0);
    });
}

$errors = [
    static fn () => trigger_error('a fatal error', E_USER_ERROR),
    // Memory checkers turn the engine's allocator, and so its limit, off.
    static fn () => getenv('USE_ZEND_ALLOC') === '0' ? eval('class Twice {} class Twice {}') : str_repeat('x', 1 << 40),
];
foreach (['dispatch_func', 'package_length_func'] as $option) {
    foreach ($errors as $error) {
        serve_and_fail($option, $error, $log);
    }
}
$lines = file_get_contents($log);
unlink($log);
var_dump(substr_count($lines, 'ended with status 255'), str_contains($lines, 'signal'));
?>
--EXPECT--
dispatch_func: 8 neighbours are answered, the worker is replaced: bool(true)
dispatch_func: 8 neighbours are answered, the worker is replaced: bool(true)
package_length_func: 8 neighbours are answered, the worker is replaced: bool(true)
package_length_func: 8 neighbours are answered, the worker is replaced: bool(true)
int(4)
bool(false)
