<?php

declare(strict_types=1);

/* Generations of an application that the command stampede serves: loaded once, checked before they serve, given up when they fail. */

namespace Stampede\Tests\E2e;

/** @return array<string, int> KiB by name */
function memoryOf(int $pid): array
{
    preg_match_all('/^(\w+):\s+(\d+) kB$/m', (string) file_get_contents("/proc/{$pid}/smaps_rollup"), $lines, PREG_SET_ORDER);
    return array_map(intval(...), array_column($lines, 2, 1));
}

/** @return array<string, mixed> */
function stateOf(string $folder): array
{
    return json_decode(Application::run(['status', $folder, '--format=json'])[1], true);
}

/** @return list<int> the workers that serve */
function workersOf(string $folder): array
{
    return array_values(array_column(array_filter(stateOf($folder)['places'], static fn (array $place): bool => $place['state'] === 'serving'), 'pid'));
}

final class launcher_generations_test extends EndToEndTest
{
    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('symfony');
    }

    public function testSharedMemory(): void
    {
        $app = self::$app;
        $this->check('Symfony is served', $app->serve(['--workers=4', '--env=prod', '--log-format=off']), $app->output());
        $this->check('by four workers', Server::until(20, fn (): bool => count(workersOf($app->folder)) === 4), $app->output());
        $boot = stateOf($app->folder)['generation']['bootProcess'];
        $all = memoryOf($boot)['Rss'];
        $private = array_map(static fn (int $pid): int => memoryOf($pid)['Private_Clean'] + memoryOf($pid)['Private_Dirty'], workersOf($app->folder));
        $this->check('a fresh worker has less than a quarter of the memory of the application to itself', max($private) < $all / 4, json_encode(['boot process' => $all, 'workers' => $private]));
        $this->remark('KiB: ' . json_encode(['boot process' => memoryOf($boot), 'private bytes of the workers' => $private]));
        [$killed] = workersOf($app->folder);
        posix_kill($killed, SIGKILL);
        $this->check('a worker that is killed is replaced', Server::until(20, fn (): bool => count(workersOf($app->folder)) === 4 && !in_array($killed, workersOf($app->folder), true)), $app->output());
        $this->same('without a boot', $boot, stateOf($app->folder)['generation']['bootProcess']);
    }

    public function testAReloadUnderLoad(): void
    {
        $app = self::$app;
        $load = new Load("tcp://127.0.0.1:{$app->port}", 8, '/hello/you');
        $reload = null;
        $ended = $load->runUntil(static function () use (&$reload, $load, $app): bool {
            if ($reload === null && $load->answered > 100) {
                $reload = proc_open(['php', dirname(__DIR__, 2) . '/php/bin/stampede', 'reload', $app->folder], [1 => ['file', "{$app->folder}.reload", 'w']], $pipes);
            }
            return $reload !== null && !proc_get_status($reload)['running'] && $load->answered > 1000;
        }, 60.0);
        $this->check('a reload under load loses no request', $ended && $load->failures() === 0 && $load->sent === $load->answered, $load->summary());
        $this->same('the command waits for it and says so', "Process {$app->pid()} serves generation 1.\n", file_get_contents("{$app->folder}.reload"));
        $this->check('all workers are of the new generation', Server::until(20, fn (): bool => array_unique(array_column(stateOf($app->folder)['places'], 'generation')) === [1]));
        $app->stop();
        unlink("{$app->folder}.reload");
        unset($app);
    }

    public function testGenerationsThatAreNotUsed(): void
    {
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app = new Application('plain');
            file_put_contents("{$app->folder}/entry.php", '<?php throw new RuntimeException("no " . "boot");');
            $this->check("{$isolation}: a first boot that fails ends the command with a sentence", !$app->serve(['--bridge=psr15', '--entry=entry.php', "--isolation={$isolation}"]) && str_contains($app->output(), 'The application does not boot: RuntimeException: no boot (') && Server::until(10, fn (): bool => !$app->alive()), $app->output());
            $app->stop();
            unset($app);
        }
        $app = new Application('slim');
        $source = (string) file_get_contents("{$app->folder}/app.php");
        file_put_contents("{$app->folder}/stampede.php", '<?php return ' . var_export(['workers' => 2, 'health-check' => '/hello/check', 'boot-timeout' => 3, 'log-format' => 'off'], true) . ';');
        $this->check('Slim is served', $app->serve(), $app->output());
        $change = static function (string $code) use ($app, $source): array {
            file_put_contents("{$app->folder}/app.php", str_replace('declare(strict_types=1);', "declare(strict_types=1);\n{$code}", $source));
            return Application::run(['reload', $app->folder]);
        };
        foreach ([
            'a boot that throws' => ['throw new RuntimeException("broken on purpose");', 'RuntimeException: broken on purpose in'],
            'a boot that ends its process' => ['exit(1);', 'it called exit()'],
            'a boot that does not end' => ['for (;;) { usleep(10000); }', 'it did not come to its end within 3 seconds'],
            'a boot that forks' => ['posix_kill(getmypid(), 9);', 'its process was ended by signal 9'],
            'a check that fails' => ['return fn ($request) => throw new RuntimeException("not healthy");', 'The health check GET /hello/check failed: RuntimeException: not healthy ('],
            'a check that ends its process' => ['return fn ($request) => posix_kill(getmypid(), 9);', 'was ended by signal 9'],
        ] as $name => [$code, $why]) {
            [$status, $output] = $change($code);
            $this->check("{$name}: reload fails with the reason", $status === 1 && str_contains($output, 'goes on: ') && str_contains($output, $why), $output);
            $this->check("{$name}: status shows it", str_contains(Application::run(['status', $app->folder])[1], 'The newest code is not served: '));
            $this->same("{$name}: the code before goes on", 200, $app->ask('/hello/you')[0]);
        }
        $this->check('the log names each', substr_count($app->output(), 'The application does not boot: ') >= 6, $app->output());
        [$status, $output] = $change('$GLOBALS["kept"] = fopen(__DIR__ . "/composer.json", "r"); chdir("/"); echo "printed"; set_error_handler(fn () => throw new ErrorException("thrown"));');
        $this->check('one that prints, changes its folder and sets an error handler is served', $status === 0 && $app->ask('/hello/you')[0] === 200, $output);
        $this->check('a file that the boot leaves open is named', str_contains($app->output(), "leaves the file {$app->folder}/composer.json open"), $app->output());
        [$status, $output] = Application::run(['status', $app->folder]);
        $this->check('status is without the failure then', $status === 0 && str_contains($output, ', loaded by process ') && !str_contains($output, 'not served'), $output);
        unset($app);
    }

    public function testRequestsThatAreUnderWayDuringAReload(): void
    {
        $apps = $peers = [];
        foreach (['process', 'sequential', 'coroutine'] as $isolation) {
            $apps[$isolation] = $app = new Application('plain');
            file_put_contents("{$app->folder}/public/index.php", '<?php sleep((int) $_GET["s"]); echo "done";');
            $this->check("{$isolation}: served", $app->serve(['--workers=2', '--env=prod', '--drain=0', '--stop-timeout=1', "--isolation={$isolation}"]), $app->output());
            foreach ([5, 25] as $seconds) {
                $peers[$isolation][$seconds] = $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["GET /?s={$seconds} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            }
        }
        foreach ($apps as $isolation => $app) {
            $this->same("{$isolation}: both requests are under way", true, Server::until(5.0, static fn (): bool => array_sum(array_column(json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'] ?? [], 'connections')) >= 2));
            $this->same("{$isolation}: a reload", 0, Application::run(['reload', $app->folder])[0]);
        }
        foreach ($apps as $isolation => $app) {
            $answer = Answer::all($peers[$isolation][5]->readToEnd(20.0), ['GET'])[0] ?? null;
            $this->same("{$isolation}: one that takes longer than max_wait_time gets its response", [200, 'done'], [$answer?->status, $answer?->body]);
            $began = microtime(true);
            $this->same("{$isolation}: a stop", 0, Application::run(['stop', $app->folder])[0]);
            $this->check("{$isolation}: does not wait for what a worker that was replaced still does", microtime(true) - $began < 10.0);
        }
    }
}
