<?php

declare(strict_types=1);

/* What people see of the command stampede: pages of errors and lines of requests. */

namespace Stampede\Tests\E2e;

final class looks_test extends EndToEndTest
{
    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/fail.php", <<<'PHP'
            <?php
            function deeper(string $text): never
            {
                /* a comment of
                   two lines */
                throw new LogicException("the outer <script>alert(1)</script>", 0, new RuntimeException('the inner'));
            }
            deeper('x');
            PHP);
    }

    public function testDevelopment(): void
    {
        $app = self::$app;
        $this->check('development', $app->serve(['--workers=1', '--isolation=sequential']), $app->output());
        [$status, $head, $page] = $app->ask('/fail.php?q=%3Cb%3E&api_key=secret1', 'name=%3Ci%3E&password=secret2', ['Content-Type: application/x-www-form-urlencoded', 'Authorization: Bearer secret3', 'Cookie: a=secret4', 'X-Plain: <u>']);
        $this->same('a page with 500', [500, true], [$status, str_contains($head, 'text/html')]);
        $this->check('has what was thrown, and what led to it', preg_match('~LogicException</p><h1>the outer &lt;script&gt;.*because of RuntimeException</p><h1>the inner~s', $page) === 1, $page);
        $this->check('the line, in colours, with its number', preg_match('~<span class="here"><i>6</i> +<b class=k>throw</b> <b class=k>new</b> LogicException~', $page) === 1, $page);
        $this->check('a comment of two lines stays one', str_contains($page, '<b class=c>/* a comment of</b></span>') && preg_match('~<i>5</i><b class=c> +two lines \*/</b></span>~', $page) === 1, $page);
        $this->check('the call, to be opened', preg_match('~<li><details><summary><code>deeper\(\)</code> <small>[^<]*/fail\.php:8</small></summary><pre>.*<span class="here"><i>8</i>deeper~s', $page) === 1, $page);
        $this->check('the request', str_contains($page, '<dt>q</dt><dd>&lt;b&gt;</dd>') && str_contains($page, '<dt>name</dt><dd>&lt;i&gt;</dd>') && str_contains($page, '<dt>x-plain</dt><dd>&lt;u&gt;</dd>'), $page);
        $this->check('without its secrets; cookies are not shown at all', preg_match('/secret[1-4]/', $page) === 0 && substr_count($page, '<dd>(hidden)</dd>') === 3, $page);
        $app->stop();
    }

    public function testLinesOfRequests(): void
    {
        $app = self::$app;
        $served = static function (array $options, callable $ask) use ($app): string {
            $app->serve(['--workers=1', '--isolation=sequential', ...$options]);
            $ask();
            Server::until(10.0, static fn (): bool => str_contains($app->output(), '/seen'));
            $said = $app->output();
            $app->stop();
            return $said;
        };
        $this->check('development: text', preg_match('/^\d\d:\d\d:\d\d 200 GET    \/seen \d+\.\d ms$/m', $said = $served([], self::seen(...))) === 1, $said);
        $said = $served(['--env=prod'], self::seen(...));
        $line = json_decode((string) preg_replace('/^.*\n(\{.*\})\n.*$/s', '$1', $said), true);
        $this->same('production: JSON', ['GET', '/seen', 200, '127.0.0.1'], [$line['method'] ?? $said, $line['path'] ?? null, $line['status'] ?? null, $line['client'] ?? null]);
        $this->check('no query, which may hold secrets', !str_contains($said, 'secret'), $said);
        $this->check('production: text when it is wanted', preg_match('/^\d\d:\d\d:\d\d 200 GET    \/seen /m', $served(['--env=prod', '--log-format=text'], self::seen(...))) === 1);
    }

    public function testInATerminal(): void
    {
        $app = self::$app;
        foreach (['production' => [[], "\e[32m200\e[0m GET    /seen \e["], 'without colours' => [['NO_COLOR' => '1'], ' 200 GET    /seen ']] as $name => [$environment, $wanted]) {
            $module = (string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so');
            $command = implode(' ', array_map(escapeshellarg(...), [...phpWithModule($module), dirname(__DIR__, 2) . '/php/bin/stampede', 'serve', $app->folder, '--workers=1', '--env=prod', "--listen=127.0.0.1:{$app->port}"]));
            $terminal = new Companion(['script', '--quiet', '--flush', '--command', "exec {$command}", '/dev/null'], $environment);
            Server::until(30.0, static fn (): bool => str_contains($terminal->output(), 'Listening on'));
            self::seen();
            $this->check("a terminal, {$name}", Server::until(10.0, static fn (): bool => str_contains($terminal->output(), $wanted)), $terminal->output());
            Application::run(['stop', $app->folder]);
            $this->same("a terminal, {$name}: the end", 0, $terminal->waitForEnd(20.0));
        }
    }

    public function testProduction(): void
    {
        $app = self::$app;
        $app->serve(['--workers=1', '--isolation=sequential', '--env=prod']);
        [$status, , $page] = $app->ask('/fail.php');
        $this->check('production: one sentence and nothing of the application', $status === 500 && str_contains($page, 'Something went wrong.') && !str_contains($page, 'outer') && !str_contains($page, 'fail.php'), $page);
        unset($app);
    }

    private static function seen(): array
    {
        $app = self::$app;
        return $app->ask('/seen?token=secret');
    }
}
