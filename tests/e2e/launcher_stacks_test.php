<?php

declare(strict_types=1);

/* Requests that need much of the C stack, or all of it: stampede serve in each isolation. */

namespace Stampede\Tests\E2e;

final class launcher_stacks_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        $list = function (int $count): void {
            for ($i = 0, $first = null; $i < $count; $i++) {
                $object = new stdClass();
                $object->next = $first;
                $first = $object;
            }
            unset($object);
            $first = null;
        };
        $circle = function (int $count): void {
            $last = $first = new stdClass();
            for ($i = 0; $i < $count; $i++) {
                $object = new stdClass();
                $object->next = $last;
                $last = $object;
            }
            $first->next = $last;
            unset($object, $last, $first);
            gc_collect_cycles();
        };
        switch (basename($_SERVER['REQUEST_URI'])) {
            case 'list': $list(8000); break;
            case 'collector': $circle(20000); break;
            case 'unserialize': unserialize(str_repeat('a:1:{i:0;', 3000) . 'i:1;' . str_repeat('}', 3000)); break;
            case 'callbacks':
                $replace = function (int $depth) use (&$replace) { return $depth === 0 ? '' : preg_replace_callback('/a/', fn () => $replace($depth - 1), 'a'); };
                $replace(700);
                break;
            case 'array':
                for ($i = 0, $array = []; $i < 60000; $i++) { $array = [$array]; }
                unset($array);
                break;
            case 'endless':
                $endless = function ($value) use (&$endless) { return array_map($endless, [$value]); };
                $endless(1);
                break;
            case 'longest': $list(500000); break;
            case 'waits': sleep(1); break;
        }
        echo getmypid();
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
    }

    public function testDeepValues(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("{$isolation} serves", $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}"]), $app->output());
            foreach (['list', 'collector', 'unserialize', 'callbacks', 'array'] as $path) {
                $this->same("{$isolation}, {$path}: what a C stack of 8 MiB holds passes", 200, $app->ask("/{$path}")[0]);
            }
            $app->stop();
        }
    }

    public function testStacksThatAreFull(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}"]);
            $worker = $app->ask('/')[2];
            $this->same("{$isolation}: endless recursion is a 500", 500, $app->ask('/endless')[0]);
            $this->same('of that request alone', $worker, $app->ask('/')[2]);
            $neighbour = new Peer("tcp://127.0.0.1:{$app->port}");
            $neighbour->send(["GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $this->same("{$isolation}: recursion without PHP code is a 500, too", 500, $app->ask('/longest')[0]);
            $this->check('and the log names it', Server::until(5.0, static fn (): bool => str_contains($app->output(), 'has filled its C stack of 8192 KiB')), $app->output());
            $this->check('the neighbour in the worker is finished', str_contains($neighbour->readToEnd(10.0), '200 OK'));
            $this->check('in the worker, which is replaced', Server::until(10.0, static fn (): bool => $app->ask('/')[0] === 200 && $app->ask('/')[2] !== $worker));
            $app->stop();
        }
    }
}
