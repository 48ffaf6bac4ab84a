--TEST--
Process: what is promised for the end of a script happens in a child, which then leaves without taking PHP apart
--EXTENSIONS--
ffi
session
--ENV--
USE_TRACKED_ALLOC=1
--INI--
ffi.enable=1
--FILE--
<?php
use Swoole\Process;

$folder = sys_get_temp_dir() . '/stampede_ends_' . getmypid();
mkdir($folder);
$c = FFI::cdef('
    typedef void (*handler)(const void *);
    int __cxa_atexit(handler function, const void *argument, void *of);
    void abort(void);
    int puts(const char *text);
    const void *strerror(int number);
    typedef struct stream stream;
    stream *fopen(const char *name, const char *mode);
    int fputs(const char *text, stream *to);
');

/** Runs it in a child; what the child prints, and how it ends. */
function in_child(callable $function): void
{
    $child = new Process($function, true);
    $child->start();
    for ($printed = ''; ($part = $child->read()) !== false && $part !== '';) {
        $printed .= $part;
    }
    $how = Process::wait();
    echo "-- code {$how['code']}, signal {$how['signal']}\n$printed";
}

final class Noisy
{
    public function __destruct()
    {
        echo "destructor\n";
    }
}

in_child(function () use ($folder, $c) {
    ini_set('session.save_path', $folder);
    session_id('ends');
    session_start(['use_cookies' => 0, 'cache_limiter' => '']);
    $_SESSION['kept'] = 'in the session';
    $GLOBALS['noisy'] = new Noisy();
    ob_start(fn (string $text): string => strtoupper($text));
    echo "buffered\n";
    register_shutdown_function(function () {
        echo "shutdown function\n";
    });
    $file = $c->fopen("$folder/stdio", 'w');
    $c->fputs("buffered by the C library\n", $file);
});
echo file_get_contents("$folder/sess_ends"), "\n", file_get_contents("$folder/stdio");
in_child(fn () => exit(7));
in_child(function () {
    register_shutdown_function(fn () => exit(9));
});
in_child(fn () => Co\run(function () {
    go(function () {
        Co::sleep(0.001);
        echo "coroutine\n";
    });
}));
in_child(function () {
    ini_set('log_errors', '0');
    undefined();
});
$ends_in_full = getenv('USE_ZEND_ALLOC') === '0';  // sanitizers report then
in_child(fn () => $ends_in_full ? 0 : $c->__cxa_atexit($c->cast('handler', $c->abort), null, null));
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);

// The process of the script leaves handlers of atexit() their turn: this one prints "Success".
Co\run(fn () => null);
$c->__cxa_atexit($c->cast('handler', $c->puts), $c->strerror(0), null);
?>
--EXPECTF--
-- code 0, signal 0
BUFFERED
SHUTDOWN FUNCTION
DESTRUCTOR
kept|s:14:"in the session";
buffered by the C library
-- code 7, signal 0
-- code 9, signal 0
-- code 0, signal 0
coroutine
-- code 255, signal 0

Fatal error: Uncaught Error: Call to undefined function undefined() in %s
Stack trace:
#0 [internal function]: {closure%S}(Object(Swoole\Process))
#1 %s
#2 %s
#3 {main}
  thrown in %s on line %d
-- code 0, signal 0
Success
