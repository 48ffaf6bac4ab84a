<?php

declare(strict_types=1);

/* What people see of the command stampede: pages of errors and lines of requests. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
$app = new Application('plain');
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

// ---- development
$report->check('development', $app->serve(['--workers=1']), $app->output());
[$status, $head, $page] = $app->ask('/fail.php?q=%3Cb%3E&api_key=secret1', 'name=%3Ci%3E&password=secret2', ['Content-Type: application/x-www-form-urlencoded', 'Authorization: Bearer secret3', 'Cookie: a=secret4', 'X-Plain: <u>']);
$report->same('a page with 500', [500, true], [$status, str_contains($head, 'text/html')]);
$report->check('has what was thrown, and what led to it', preg_match('~LogicException</p><h1>the outer &lt;script&gt;.*because of RuntimeException</p><h1>the inner~s', $page) === 1, $page);
$report->check('the line, in colours, with its number', preg_match('~<span class="here"><i>6</i> +<b class=k>throw</b> <b class=k>new</b> LogicException~', $page) === 1, $page);
$report->check('a comment of two lines stays one', str_contains($page, '<b class=c>/* a comment of</b></span>') && preg_match('~<i>5</i><b class=c> +two lines \*/</b></span>~', $page) === 1, $page);
$report->check('the call, to be opened', preg_match('~<li><details><summary><code>deeper\(\)</code> <small>[^<]*/fail\.php:8</small></summary><pre>.*<span class="here"><i>8</i>deeper~s', $page) === 1, $page);
$report->check('the request', str_contains($page, '<dt>q</dt><dd>&lt;b&gt;</dd>') && str_contains($page, '<dt>name</dt><dd>&lt;i&gt;</dd>') && str_contains($page, '<dt>x-plain</dt><dd>&lt;u&gt;</dd>'), $page);
$report->check('without its secrets; cookies are not shown at all', preg_match('/secret[1-4]/', $page) === 0 && substr_count($page, '<dd>(hidden)</dd>') === 3, $page);
$app->stop();

// ---- lines of requests
$served = static function (array $options, callable $ask) use ($app): string {
    $app->serve(['--workers=1', ...$options]);
    $ask();
    Server::until(10.0, static fn (): bool => str_contains($app->output(), '/seen'));
    $said = $app->output();
    $app->stop();
    return $said;
};
$seen = static fn (): array => $app->ask('/seen?token=secret');
$report->check('development: text', preg_match('/^\d\d:\d\d:\d\d 200 GET    \/seen \d+\.\d ms$/m', $said = $served([], $seen)) === 1, $said);
$said = $served(['--env=prod'], $seen);
$line = json_decode((string) preg_replace('/^.*\n(\{.*\})\n.*$/s', '$1', $said), true);
$report->same('production: JSON', ['GET', '/seen', 200, '127.0.0.1'], [$line['method'] ?? $said, $line['path'] ?? null, $line['status'] ?? null, $line['client'] ?? null]);
$report->check('no query, which may hold secrets', !str_contains($said, 'secret'), $said);
$report->check('production: text when it is wanted', preg_match('/^\d\d:\d\d:\d\d 200 GET    \/seen /m', $served(['--env=prod', '--log-format=text'], $seen)) === 1);

// ---- in a terminal
foreach (['production' => [[], "\e[32m200\e[0m GET    /seen \e["], 'without colours' => [['NO_COLOR' => '1'], ' 200 GET    /seen ']] as $name => [$environment, $wanted]) {
    $module = (string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so');
    $command = implode(' ', array_map(escapeshellarg(...), [...phpWithModule($module), dirname(__DIR__, 2) . '/php/bin/stampede', 'serve', $app->folder, '--workers=1', '--env=prod', "--listen=127.0.0.1:{$app->port}"]));
    $terminal = new Companion(['script', '--quiet', '--flush', '--command', "exec {$command}", '/dev/null'], $environment);
    Server::until(30.0, static fn (): bool => str_contains($terminal->output(), 'Listening on'));
    $seen();
    $report->check("a terminal, {$name}", Server::until(10.0, static fn (): bool => str_contains($terminal->output(), $wanted)), $terminal->output());
    Application::run(['stop', $app->folder]);
    $report->same("a terminal, {$name}: the end", 0, $terminal->waitForEnd(20.0));
}

// ---- production
$app->serve(['--workers=1', '--env=prod']);
[$status, , $page] = $app->ask('/fail.php');
$report->check('production: one sentence and nothing of the application', $status === 500 && str_contains($page, 'Something went wrong.') && !str_contains($page, 'outer') && !str_contains($page, 'fail.php'), $page);
unset($app);
$report->finish();
