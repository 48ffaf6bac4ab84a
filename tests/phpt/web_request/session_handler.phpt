--TEST--
Stampede\WebRequest: a request's own session handler and session settings stay its own over waits
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

final class Memory implements SessionHandlerInterface
{
    public static array $written = [];

    public function __construct(private string $id) {}
    public function open(string $path, string $name): bool { return true; }
    public function close(): bool { return true; }
    public function read(string $id): string { Coroutine::sleep(0.001); return "n|i:{$this->id};"; }
    public function write(string $id, string $data): bool { Coroutine::sleep(0.001); self::$written[$id] = $data; return true; }
    public function destroy(string $id): bool { return true; }
    public function gc(int $seconds): int { return 0; }
}

$wrong = [];
Coroutine\run(static function () use (&$wrong): void {
    for ($id = 1; $id <= 50; $id++) {
        go(static function () use ($id, &$wrong): void {
            WebRequest::begin([], [], [], [], [], '');
            if ($id % 2) {
                session_set_save_handler(new Memory((string) $id), false);
            } else {
                session_save_path(sys_get_temp_dir());
            }
            session_name("name{$id}");
            session_id("web-request-{$id}");
            session_start(['use_cookies' => 0, 'gc_probability' => 0]);
            Coroutine::sleep(0.001);
            $seen = [session_name(), ini_get('session.name'), ini_get('session.save_handler'), $_SESSION['n'] ?? null];
            $wrong[] = $seen === ["name{$id}", "name{$id}", $id % 2 ? 'user' : 'files', $id % 2 ? $id : null] ? null : $seen;
            $_SESSION['n'] = $id + 1;
            if ($id % 2) {
                session_write_close();
            } else {
                session_destroy();
            }
            WebRequest::end();
        });
    }
});
ksort(Memory::$written, SORT_NATURAL);
$expected = [];
for ($id = 1; $id <= 50; $id += 2) {
    $expected["web-request-{$id}"] = 'n|i:' . ($id + 1) . ';';
}
var_dump(count($wrong), array_filter($wrong), Memory::$written === $expected, session_name(), ini_get('session.save_handler'));
?>
--EXPECT--
int(50)
array(0) {
}
bool(true)
string(9) "PHPSESSID"
string(5) "files"
