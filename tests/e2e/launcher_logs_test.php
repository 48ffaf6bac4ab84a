<?php

declare(strict_types=1);

/* With --log-format=json each line of both outputs is one object, whoever has printed it. */

namespace Stampede\Tests\E2e;

final class launcher_logs_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        switch (basename($_SERVER['REQUEST_URI'])) {
            case 'stderr':
                file_put_contents('php://stderr', "plain\n{\"time\":\"forged\",\"level\":\"error\"}\n\e[31mred\n" . str_repeat('x', 100_000) . "\nno end");
                break;
            case 'stdout':
                fwrite(fopen('php://stdout', 'w'), "to the output\n");
                break;
            case 'program':
                system('echo by a program >&2; echo "is heard" >&2');
                break;
            case 'logged':
                error_log("two\nlines");
                break;
            case 'warns':
                echo $missing;
                break;
            case 'throws':
                throw new RuntimeException("quoted \" and\nlines", 1, new LogicException('first'));
            case 'crashes':
                posix_kill(getmypid(), SIGSEGV);
                sleep(1);
        }
        PHP;

    public function testEachLineIsAnObject(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
        foreach (['process', 'sequential'] as $isolation) {
            $this->assertTrue($app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}"]), $app->output());
            foreach (['stderr', 'stdout', 'program', 'logged', 'warns', 'throws'] as $path) {
                $app->ask("/{$path}");
            }
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET /crashes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]);
            $peer->readToEnd();
            $wanted = ['Listening on ', 'plain', '{"time":"forged"', "\e[31mred", 'xxx', 'no end', 'to the output', 'by a program', 'is heard', "two\nlines", 'Undefined variable', "quoted \" and\nlines", 'native stack', 'signal 11'];
            $missing = static function () use ($app, $wanted): array {
                $messages = implode("\0", array_map(static fn (mixed $object): string => $object->message ?? '', self::objects($app->output())));
                return array_values(array_filter($wanted, static fn (string $text): bool => !str_contains($messages, $text)));
            };
            Server::until(5.0, static fn (): bool => $missing() === []);
            $this->same("{$isolation}: everything is there", [], $missing());
            $objects = self::objects($app->output());
            $this->same('as objects, one a line', [], array_keys(array_filter($objects, static fn (mixed $object): bool => !is_object($object) || !isset($object->time))));
            $this->same('with levels', [], array_filter($objects, static fn (mixed $object): bool => is_object($object) && !isset($object->level) && !isset($object->method)));
            $this->same('none is forged', [], array_filter($objects, static fn (mixed $object): bool => ($object->time ?? '') === 'forged'));
            $this->check('none is endless', max(array_map(strlen(...), explode("\n", $app->output()))) < 34_000);
            $this->check('no byte steers a terminal', !str_contains($app->output(), "\e"));
            $app->stop();
        }
    }

    public function testWhatIsPrintedIsWrittenAlthoughTheServerIsKilled(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", "<?php file_put_contents('php://stderr', \"before the end\\n\"); posix_kill((int) trim((string) file_get_contents(__DIR__ . '/../pid')), SIGKILL);");
        $this->assertTrue($app->serve(['--workers=1', '--env=prod', '--isolation=sequential']));
        file_put_contents("{$app->folder}/pid", (string) $app->pid());
        $app->ask('/');
        $this->check('it is there', Server::until(5.0, static fn (): bool => str_contains($app->output(), 'before the end')));
        $this->check('nobody stays who would write it', Server::until(10.0, static fn (): bool => !in_array("{$app->folder}.log", array_map(static fn (string $fd): string => (string) @readlink($fd), glob('/proc/[0-9]*/fd/*') ?: []), true)));
    }

    /** @return list<mixed> */
    private static function objects(string $output): array
    {
        return array_map(json_decode(...), explode("\n", rtrim($output, "\n")));
    }
}
