<?php

declare(strict_types=1);

/* `stampede leaks` and `stampede memory`: what grew in a worker, by route, and by what path it is held. */

namespace Stampede\Tests\E2e;

final class launcher_leaks_test extends EndToEndTest
{
    private static Application $app;
    private static int $health;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('slim');
        self::$health = Server::freePort();
        $code = (string) file_get_contents(self::$app->folder . '/app.php');
        $routes = <<<'PHP'
            final class Entry { public string $text = ''; }
            final class Listener { }
            final class Audit { public static array $entries = []; }
            final class Registry
            {
                private static ?self $instance = null;
                private array $found = [];
                public static function get(): self { return self::$instance ??= new self(); }
                public function note(): void { $this->found[] = count($this->found); }
            }
            final class Events
            {
                public static self $bus;
                public array $listeners = [];
                public function on(Closure $listener): void { $this->listeners['request'][] = $listener; }
            }
            Events::$bus = new Events();
            function counted(): int { static $seen = []; $seen[] = 1; return count($seen); }
            $app->get('/static/{id}', function ($request, $response) { $entry = new Entry(); $entry->text = str_repeat('x', 100); Audit::$entries[] = $entry; return $response; });
            $app->get('/singleton', function ($request, $response) { Registry::get()->note(); return $response; });
            $app->get('/listeners', function ($request, $response) { $big = new Listener(); Events::$bus->on(function () use ($big): void { }); return $response; });
            $app->get('/variable', function ($request, $response) { counted(); return $response; });
            $app->get('/clean', function ($request, $response) { return $response; });
            $app->addErrorMiddleware
            PHP;
        file_put_contents(self::$app->folder . '/app.php', str_replace('$app->addErrorMiddleware', $routes, $code));
        if (!self::$app->serve(['--workers=1', '--env=prod', '--log-format=off', '--health-listen=127.0.0.1:' . self::$health])) {
            throw new \RuntimeException(self::$app->output());
        }
    }

    public function testEachLeakIsNamedWithItsPath(): void
    {
        $report = json_decode($this->during(['leaks', '--for=6', '--format=json'], static function (): void {
            foreach (['/static/1', '/singleton', '/listeners', '/variable', '/clean'] as $path) {
                self::$app->ask($path);
            }
        }), true);
        $worker = current($report['workers']);
        $this->check('requests were measured', $worker['measured'] >= 40, json_encode($report));
        $found = [];
        foreach ($worker['routes'] as $route) {
            foreach ($route['grown'] as $grown) {
                $found[$route['route']][$grown['name']] = [$grown['each'], $grown['path']];
            }
        }
        $this->same('an array in a static property', 1.0, (float) ($found['GET /static/*']['Audit::$entries'][0] ?? 0));
        $this->check('and whose objects are in it', ($found['GET /static/*']['class Entry'][0] ?? 0) == 1 && str_starts_with($found['GET /static/*']['class Entry'][1] ?? '', 'Audit::$entries['), json_encode($found));
        $this->same('an array in a singleton', 1.0, (float) ($found['GET /singleton']['Registry::$instance->found'][0] ?? 0));
        $this->same('a list of closures', 1.0, (float) ($found['GET /listeners']["Events::\$bus->listeners['request']"][0] ?? 0));
        $this->check('and what a closure holds', preg_match('/^Events::\$bus->listeners\[\'request\'\]\[\d+\] uses \$big$/D', $found['GET /listeners']['class Listener'][1] ?? '') === 1, json_encode($found));
        $this->same('a static variable', 1.0, (float) ($found['GET /variable']['counted() static $seen'][0] ?? 0));
        $this->same('nothing of a route that leaves nothing', false, isset($found['GET /clean']));
        $metrics = (string) file_get_contents('http://127.0.0.1:' . self::$health . '/metrics');
        $this->check('the metric counts what was found', preg_match('/^stampede_growth_findings ([1-9]\d*)$/m', $metrics) === 1, $metrics);
    }

    public function testForPeople(): void
    {
        $text = $this->during(['leaks', '--for=3'], static function (): void {
            self::$app->ask('/static/1');
        });
        $this->check('a route, what grew, and what holds it', preg_match('/^GET \/static\/\*: \d+ measured, /m', $text) === 1 && preg_match('/1\.00 more instances +class Entry, held by Audit::\$entries\[\d+\]$/m', $text) === 1, $text);
        $text = Application::run(['leaks', self::$app->folder, '--for=0.2'])[1];
        $this->check('without requests there is nothing to tell', str_contains($text, 'That is too little to tell'), $text);
    }

    public function testBetweenTwoMoments(): void
    {
        $report = json_decode($this->during(['memory', '--requests=30', '--format=json', '--pause=1000'], static function (): void {
            self::$app->ask('/static/1');
            self::$app->ask('/listeners');
        }), true);
        $worker = current($report['workers']);
        $this->check('the requests between both are known', $worker['requests'] >= 30, json_encode($worker));
        $this->check('the look is whole, and says how long it took', $worker['complete'] === true && $worker['took_ms'] > 0, json_encode($worker));
        $classes = array_column($worker['classes'], null, 'class');
        $more = ($classes['Entry']['after'] ?? 0) - ($classes['Entry']['before'] ?? 0);
        $this->check('instances of a class', $more >= 25 && $more <= $worker['requests'], json_encode($worker));
        $this->check('closures', ($classes['Closure']['after'] ?? 0) - ($classes['Closure']['before'] ?? 0) >= 10, json_encode($worker['classes']));
        $holders = array_column($worker['holders'], null, 'path');
        $this->check('and the collections', isset($holders['Audit::$entries'], $holders["Events::\$bus->listeners['request']"]), json_encode($worker['holders']));
        [$status, $text] = Application::run(['memory', self::$app->folder]);
        $this->check('what there is now', $status === 0 && preg_match('/^ *[\d.]+ (B|KiB) +\d+  Entry  /m', $text) === 1, $text);
        $this->same('one moment or the other', [1, "Give --for or --requests, not both.\n"], Application::run(['memory', self::$app->folder, '--for=1', '--requests=1']));
    }

    public function testProcessesKeepNothing(): void
    {
        $app = new Application('slim');
        $this->check('each request in a process', $app->serve(['--workers=1', '--isolation=process', '--log-format=off']), $app->output());
        [$status, $text] = Application::run(['leaks', $app->folder, '--for=1']);
        $this->check('there is nothing to measure', $status === 1 && str_contains($text, 'keep nothing'), $text);
        $app->stop();
    }

    /** @param list<string> $command */
    private function during(array $command, callable $load): string
    {
        $folder = self::$app->folder;
        $name = array_shift($command);
        $process = proc_open(Application::command([$name, $folder, ...$command]), [['file', '/dev/null', 'r'], ['file', "{$folder}/said.txt", 'w'], ['redirect', 1]], $pipes);
        while (proc_get_status($process)['running']) {
            $load();
        }
        proc_close($process);
        return (string) file_get_contents("{$folder}/said.txt");
    }
}
