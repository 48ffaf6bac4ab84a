--TEST--
Stampede\WebRequest: a fatal error in a request ends the process in that request, with the shutdown functions of both
--INI--
display_errors=0
log_errors=0
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
// The engine frees no objects after a fatal error, so that leaks cannot be looked for here.
use Stampede\WebRequest;
use Swoole\Coroutine;

register_shutdown_function(static function (): void {
    fwrite(STDOUT, "end of the process\n");
});
Coroutine\run(static function (): void {
    go(static function (): void {
        WebRequest::begin(['ID' => 2], [], [], [], [], '', static fn () => 0);
        register_shutdown_function(static fn () => fwrite(STDOUT, "never\n"));
        Coroutine::sleep(1);
    });
    WebRequest::begin(['ID' => 1], [], [], [], [], '', static fn () => 0);
    register_shutdown_function(static function (): void {
        fwrite(STDOUT, "end of request {$_SERVER['ID']}: " . substr(error_get_last()['message'], 0, 16) . "\n");
    });
    Coroutine::sleep(0.001);
    eval('final abstract class Impossible {}');
});
?>
--EXPECT--
end of request 1: Cannot use the f
end of the process
