--TEST--
A stream that always has data, in and out, lets other coroutines go on
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Coroutine;

function transfer(bool $reads): void
{
    [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $pid = pcntl_fork();
    if ($pid === 0) {
        fclose($ours);
        $piece = str_repeat('x', 1 << 16);
        while ($reads ? @fwrite($theirs, $piece) : (string) fread($theirs, 1 << 16) !== '');
        posix_kill(getmypid(), SIGKILL);
    }
    fclose($theirs);
    Coroutine\run(static function () use ($ours, $reads): void {
        $cpu = static fn (): float => array_sum(array_map(static fn (string $kind): float => getrusage()["ru_{$kind}.tv_sec"] * 1000 + getrusage()["ru_{$kind}.tv_usec"] / 1000, ['utime', 'stime']));
        $turns = 0;  // of the other coroutine
        $done = false;
        go(static function () use (&$turns, &$done): void {
            while (!$done) {
                Coroutine::sleep(0.001);
                $turns++;
            }
        });
        $piece = str_repeat('x', 1 << 16);
        $bytes = 0;
        for ($until = $cpu() + 700;  // milliseconds of processor time, whatever else the machine does
            $cpu() < $until;) {
            $bytes += $reads ? strlen((string) fread($ours, 1 << 16)) : fwrite($ours, $piece);
            md5($piece);  // the other end is faster
        }
        $done = true;
        var_dump($bytes > 1 << 20, $turns > 35 ?: $turns);
        fclose($ours);
    });
    pcntl_waitpid($pid, $status);
}

transfer(true);
transfer(false);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
