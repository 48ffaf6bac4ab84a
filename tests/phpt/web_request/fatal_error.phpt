--TEST--
Stampede\WebRequest: a fatal error in a request ends the process in that request, with the shutdown functions of both
--INI--
memory_limit=64M
display_errors=0
log_errors=0
--FILE--
<?php
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
        fwrite(STDOUT, "end of request {$_SERVER['ID']}: " . substr(error_get_last()['message'], 0, 19) . "\n");
    });
    Coroutine::sleep(0.001);
    str_repeat('x', 1 << 40);
});
?>
--EXPECT--
end of request 1: Allowed memory size
end of the process
