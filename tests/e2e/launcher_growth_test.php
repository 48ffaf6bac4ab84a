<?php

declare(strict_types=1);

/* Which class, static property or variable grew in a worker, by route: told when the worker ends. */

namespace Stampede\Tests\E2e;

final class launcher_growth_test extends EndToEndTest
{
    private static string $leaks;

    public static function setUpBeforeClass(): void
    {
        self::$leaks = <<<'PHP'
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
    }

    public function testAPlainApplication(): void
    {
        $leaks = self::$leaks;
        $app = new Application('plain');
        file_put_contents("{$app->folder}/leaks.php", "<?php {$leaks}");
        file_put_contents("{$app->folder}/public/index.php", '<?php require_once __DIR__ . "/../leaks.php"; if (str_starts_with($_SERVER["REQUEST_URI"], "/leaks")) { Audit::add(); } $list[] = new ArrayObject(); echo "x";');
        $this->check('a plain application', $app->serve(['--workers=1', '--isolation=sequential', '--growth-report=1', '--env=prod', '--log-format=off']), $app->output());
        self::ask($app, 12);
        $this->same('nothing is said while the worker goes on', [], self::lines($app));
        $this->check('its end by a reload tells', Application::run(['reload', $app->folder])[0] === 0 && Server::until(20, static fn (): bool => self::lines($app) !== []), $app->output());
        $this->judge($app, 'plain');
        $app->stop();
        $this->check('with a limit of memory', $app->serve(['--workers=1', '--growth-report=2', '--max-memory=2M', '--env=prod', '--log-format=off']), $app->output());
        self::ask($app, 40);
        $this->same('every request of workers that are too large already was served', 200, $app->ask('/fine')[0]);
        unset($app);
    }

    public function testAPSR15Application(): void
    {
        $leaks = self::$leaks;
        $app = new Application('slim');
        $source = (string) file_get_contents("{$app->folder}/app.php");
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', $leaks . '$app->get("/{name}[/{id}]", function ($request, $response, array $arguments) { if ($arguments["name"] === "leaks") { Audit::add(); } usleep(1000); return $response; }); $app->addErrorMiddleware', $source));
        $this->check('a PSR-15 application', $app->serve(['--workers=1', '--growth-report=1', '--env=prod', '--log-format=off']), $app->output());
        self::ask($app, 12);
        $load = new Load("tcp://127.0.0.1:{$app->port}", 8, '/leaks/1');
        $load->runUntil(static fn (): bool => $load->answered > 200);
        self::ask($app, 8);
        $this->check('its end tells', Application::run(['reload', $app->folder])[0] === 0 && Server::until(20, static fn (): bool => self::lines($app) !== []), $app->output());
        $this->judge($app, 'PSR-15');
        unset($app);
    }

    /** Each request leaves 256 KiB in a cycle of few objects: PHP's own collection would not come before many thousand requests. */
    public function testCyclesAreFreed(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php $cycle = new ArrayObject(); $cycle["text"] = str_repeat($_SERVER["REQUEST_URI"][0], 256 << 10); $cycle["self"] = $cycle; unset($cycle); echo memory_get_usage();');
        $this->check('an application that leaves cycles', $app->serve(['--workers=1', '--env=prod', '--log-format=off']), $app->output());
        $memory = [];
        for ($i = 0; $i < 100; $i++) {
            [$status, , $text] = $app->ask("/{$i}");
            $memory[] = $status === 200 && (int) $text > 0 ? (int) $text : PHP_INT_MAX;
        }
        $this->check('its memory does not grow', max($memory) - $memory[0] < 8 << 20, implode(' ', $memory));
        unset($app);
    }

    private static function ask(Application $app, int $count): void
    {
        for ($i = 0; $i < $count; $i++) {
            $app->ask("/leaks/{$i}");
            $app->ask('/fine');
        }
    }

    private static function lines(Application $app): array
    {
        return preg_grep('/^Growth: /', explode("\n", $app->output())) ?: [];
    }

    private function judge(Application $app, string $name): void
    {
        $all = implode("\n", self::lines($app));
        $this->same("{$name}: one route is named", 1, count(self::lines($app)));
        foreach (['Growth: GET /leaks/* left ', 'Audit::$entries (', 'class Entry (', 'Audit::add() static $texts ('] as $words) {
            $this->check("{$name}: {$words}", str_contains($all, $words), $all . $app->output());
        }
        preg_match('/of (\d+) measured requests/', $all, $measured);
        preg_match('/class Entry \((\d+) more instances\)/', $all, $instances);
        $this->check("{$name}: one of each for each request", ($measured[1] ?? 0) >= 5 && ($measured[1] ?? null) === ($instances[1] ?? ''), $all);
    }
}
