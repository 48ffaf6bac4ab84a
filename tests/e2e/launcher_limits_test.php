<?php

declare(strict_types=1);

/* --request-timeout of stampede serve: code that goes on after it, in a worker of one place and in one with neighbours. */

namespace Stampede\Tests\E2e;

final class launcher_limits_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        class_exists('Sleeps') || eval('final class Sleeps { public function __destruct() { sleep(1000); } }');
        $note = __DIR__ . '/../child';
        $child = 'echo $$ > ' . escapeshellarg($note) . '; ';
        switch (basename($_SERVER['REQUEST_URI'])) {
            case 'retry': for ($i = 0; $i < 1000; $i++) { try { sleep(100); } catch (Throwable) {} } break;
            case 'finally': try { sleep(1000); } finally { sleep(1000); } break;
            case 'destructor': $sleeps = new Sleeps(); sleep(1000); break;
            case 'exec': exec($child . 'sleep 1000; true'); break;
            case 'shell_exec': shell_exec($child . 'sleep 1000 | cat'); break;
            case 'passthru': passthru($child . 'exec sleep 1000'); break;
            case 'proc_close': proc_close(proc_open($child . 'sleep 1000; true', [], $pipes)); break;
            case 'popen': $pipe = popen($child . 'sleep 1000; true', 'r'); fgets($pipe); pclose($pipe); break;
            case 'System': Swoole\Coroutine\System::exec($child . 'sleep 1000; true'); break;
            case 'endless': while (true) { try { sleep(100); } catch (Throwable) {} }
            case 'waits': usleep(2_500_000); break;
        }
        echo getmypid();
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
    }

    public function testCodeThatWaitsAgain(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $this->check("{$isolation} serves", $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}", '--request-timeout=0.5']), $app->output());
            $worker = $app->ask('/')[2];
            foreach (['retry', 'finally', 'destructor'] as $path) {
                $this->same("{$isolation}, {$path}: 504", 504, $app->ask("/{$path}")[0]);
                $this->same('and the place is free, in the same worker', $worker, $app->ask('/')[2]);
            }
            foreach (['exec', 'shell_exec', 'passthru', 'proc_close', 'popen', 'System'] as $path) {
                $this->same("{$isolation}, {$path}: 504", 504, $app->ask("/{$path}")[0]);
                $this->same('and the place is free, in the same worker', $worker, $app->ask('/')[2]);
                $child = (int) file_get_contents("{$app->folder}/child");
                $this->check('and the program has ended', $child > 0 && Server::until(5.0, static fn (): bool => !posix_kill($child, 0)));
            }
            $app->stop();
        }
    }

    public function testAPlaceThatIsHeld(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}", '--request-timeout=1']);
            $worker = $app->ask('/')[2];
            $this->same("{$isolation}: code that never ends gets 504", 504, $app->ask('/endless')[0]);
            $neighbour = new Peer("tcp://127.0.0.1:{$app->port}");
            $neighbour->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $bytes = $neighbour->readToEnd(10.0);
            $this->check('the request beside it has a response', $isolation === 'coroutine' ? str_contains($bytes, '200 OK') : str_contains($bytes, '503 ') && str_contains($bytes, 'Retry-After: 1'), $bytes);
            $this->check('the worker is replaced', Server::until(10.0, static fn (): bool => !in_array($app->ask('/')[2], ['', $worker], true)), $app->output());
            $this->check('and the log says why', str_contains($app->output(), 'GET /endless: goes on although its time was over two seconds ago; the worker is replaced.'), $app->output());
            $app->stop();
        }
    }
}
