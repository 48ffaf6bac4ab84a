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

    public function testAllLinesAboutARequestHaveItsName(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php header("X-Name: {$_SERVER[\'HTTP_X_REQUEST_ID\']}"); echo $missing; if (isset($_GET["fatal"])) { none(); } throw new RuntimeException("outer", 1, new LogicException("inner"));');
        foreach (['process', 'sequential'] as $isolation) {
            $this->assertTrue($app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", '--log-fields=query,ua', '--trusted-proxies=127.0.0.1']), $app->output());
            $fields = ['X-Request-Id: a-name', 'X-Forwarded-For: 203.0.113.4', 'User-Agent: tester', 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'];
            [$status, $head, $page] = $app->ask('/index.php?password=x&a=b', fields: $fields);
            $this->same("{$isolation}: it fails", 500, $status);
            $of = static fn (string $name): array => array_values(array_filter(self::objects($app->output()), static fn (mixed $object): bool => ($object->request_id ?? '') === $name));
            $this->check("{$isolation}: there are lines with its name", Server::until(5.0, static fn (): bool => count($of('a-name')) >= 3), $app->output());
            $lines = $of('a-name');
            $request = array_values(array_filter($lines, static fn (object $line): bool => isset($line->method)))[0] ?? null;
            $this->same("{$isolation}: that of the request", ['error', 'GET', '/index.php', 500, '203.0.113.4', 'password=(hidden)&a=b', 'tester', '0af7651916cd43dd8448eb211c80319c'],
                [$request->level ?? null, $request->method ?? null, $request->path ?? null, $request->status ?? null, $request->client ?? null, $request->query ?? null, $request->user_agent ?? null, $request->trace_id ?? null]);
            $this->check("{$isolation}: the warning of PHP", array_filter($lines, static fn (object $line): bool => str_contains($line->message ?? '', 'Undefined variable')) !== [], $app->output());
            $this->check("{$isolation}: the exception", array_filter($lines, static fn (object $line): bool => str_contains($line->message ?? '', 'outer')) !== [], $app->output());
            if ($isolation === 'sequential') {
                $thrown = array_values(array_filter($lines, static fn (object $line): bool => isset($line->exception)))[0]->exception ?? null;
                $this->same('with its parts', ['RuntimeException', 'outer', 1, 'LogicException', 'inner'], [$thrown->class ?? null, $thrown->message ?? null, $thrown->line ?? null, $thrown->previous->class ?? null, $thrown->previous->message ?? null]);
                $this->check('the page of errors', str_contains($page, 'a-name'), $page);
            }
            $app->ask('/index.php?fatal');
            $this->check("{$isolation}: a request that a fatal error ends has its line", Server::until(5.0, static fn (): bool => count(array_filter(self::objects($app->output()), static fn (mixed $object): bool => ($object->query ?? '') === 'fatal' && $object->status === 500)) === 1), $app->output());
            $app->raw("nonsense\r\n\r\n");
            $this->check("{$isolation}: what is no request as well", Server::until(5.0, static fn (): bool => array_filter(self::objects($app->output()), static fn (mixed $object): bool => ($object->status ?? 0) === 400) !== []), $app->output());
            $app->stop();
        }
    }

    public function testWhichLinesThereAre(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php http_response_code((int) $_GET["status"]); echo "x";');
        $this->assertTrue($app->serve(['--workers=1', '--access-log=errors']), $app->output());
        $app->ask('/index.php?status=200');
        $app->ask('/index.php?status=404');
        $this->check('errors have lines', Server::until(5.0, static fn (): bool => str_contains($app->output(), ' 404 GET ')), $app->output());
        $this->check('others have none', !str_contains($app->output(), ' 200 GET '), $app->output());
        $app->stop();
        foreach ([[['--access-log=slow'], 'access-log'], [['--log-fields=cookie'], '"cookie", which does not exist'], [['--log-sample=2'], 'log-sample'], [['--log-level=loud'], 'log-level']] as [$options, $sentence]) {
            [$status, $output] = Application::run(['serve', $app->folder, "--listen=127.0.0.1:{$app->port}", ...$options]);
            $this->check("{$options[0]} ends the start with a sentence", $status !== 0 && str_contains($output, $sentence), $output);
        }
    }

    /** @return list<mixed> */
    private static function objects(string $output): array
    {
        return array_map(json_decode(...), explode("\n", rtrim($output, "\n")));
    }
}
