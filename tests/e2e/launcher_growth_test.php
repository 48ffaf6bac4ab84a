<?php

declare(strict_types=1);

/* Which class, static property or variable grew in a worker, by route: told when the worker ends. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
$leaks = <<<'PHP'
    final class Entry {}
    final class Audit
    {
        public static array $entries = [];
        public static function add(): void
        {
            static $texts = '';
            self::$entries[] = new Entry();
            $texts .= 'x';
        }
    }
    PHP;
$ask = static function (Application $app, int $count): void {
    for ($i = 0; $i < $count; $i++) {
        $app->ask("/leaks/{$i}");
        $app->ask('/fine');
    }
};
$lines = static fn (Application $app): array => preg_grep('/^Growth: /', explode("\n", $app->output())) ?: [];
$judge = static function (Application $app, string $name) use ($report, $lines): void {
    $all = implode("\n", $lines($app));
    $report->same("{$name}: one route is named", 1, count($lines($app)));
    foreach (['Growth: GET /leaks/* left ', 'Audit::$entries (', 'class Entry (', 'Audit::add() static $texts ('] as $words) {
        $report->check("{$name}: {$words}", str_contains($all, $words), $all . $app->output());
    }
    preg_match('/of (\d+) measured requests/', $all, $measured);
    preg_match('/class Entry \((\d+) more instances\)/', $all, $instances);
    $report->check("{$name}: one of each for each request", ($measured[1] ?? 0) >= 5 && ($measured[1] ?? null) === ($instances[1] ?? ''), $all);
};

$app = new Application('plain');
file_put_contents("{$app->folder}/leaks.php", "<?php {$leaks}");
file_put_contents("{$app->folder}/public/index.php", '<?php require_once __DIR__ . "/../leaks.php"; if (str_starts_with($_SERVER["REQUEST_URI"], "/leaks")) { Audit::add(); } $list[] = new ArrayObject(); echo "x";');
$report->check('a plain application', $app->serve(['--workers=1', '--growth-report=1', '--env=prod', '--log-format=off']), $app->output());
$ask($app, 12);
$report->same('nothing is said while the worker goes on', [], $lines($app));
$report->check('its end by a reload tells', Application::run(['reload', $app->folder])[0] === 0 && Server::until(20, static fn (): bool => $lines($app) !== []), $app->output());
$judge($app, 'plain');
$app->stop();
$report->check('with a limit of memory', $app->serve(['--workers=1', '--growth-report=2', '--max-memory=2M', '--env=prod', '--log-format=off']), $app->output());
$ask($app, 40);
$report->same('every request of workers that are too large already was served', 200, $app->ask('/fine')[0]);
unset($app);

$app = new Application('slim');
$source = (string) file_get_contents("{$app->folder}/app.php");
file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', $leaks . '$app->get("/{name}[/{id}]", function ($request, $response, array $arguments) { if ($arguments["name"] === "leaks") { Audit::add(); } usleep(1000); return $response; }); $app->addErrorMiddleware', $source));
$report->check('a PSR-15 application', $app->serve(['--workers=1', '--growth-report=1', '--env=prod', '--log-format=off']), $app->output());
$ask($app, 12);
$load = new Load("tcp://127.0.0.1:{$app->port}", 8, '/leaks/1');
$load->runUntil(static fn (): bool => $load->answered > 200);
$ask($app, 8);
$report->check('its end tells', Application::run(['reload', $app->folder])[0] === 0 && Server::until(20, static fn (): bool => $lines($app) !== []), $app->output());
$judge($app, 'PSR-15');
unset($app);
$report->finish();
