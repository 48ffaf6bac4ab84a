<?php

declare(strict_types=1);

/* Generations of an application that the command stampede serves: loaded once, checked before they serve, given up when they fail. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

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

$report = new Report();

// ---- memory and starts
$app = new Application('symfony');
$report->check('Symfony is served', $app->serve(['--workers=4', '--env=prod', '--log-format=off']), $app->output());
$report->check('by four workers', Server::until(20, fn (): bool => count(workersOf($app->folder)) === 4), $app->output());
$boot = stateOf($app->folder)['generation']['bootProcess'];
$all = memoryOf($boot)['Rss'];
$private = array_map(static fn (int $pid): int => memoryOf($pid)['Private_Clean'] + memoryOf($pid)['Private_Dirty'], workersOf($app->folder));
$report->check('a fresh worker has less than a quarter of the memory of the application to itself', max($private) < $all / 4, json_encode(['boot process' => $all, 'workers' => $private]));
echo '# KiB: ', json_encode(['boot process' => memoryOf($boot), 'private bytes of the workers' => $private]), "\n";
[$killed] = workersOf($app->folder);
posix_kill($killed, SIGKILL);
$report->check('a worker that is killed is replaced', Server::until(20, fn (): bool => count(workersOf($app->folder)) === 4 && !in_array($killed, workersOf($app->folder), true)), $app->output());
$report->same('without a boot', $boot, stateOf($app->folder)['generation']['bootProcess']);

// ---- a reload under load
$load = new Load("tcp://127.0.0.1:{$app->port}", 8, '/hello/you');
$reload = null;
$ended = $load->runUntil(static function () use (&$reload, $load, $app): bool {
    if ($reload === null && $load->answered > 100) {
        $reload = proc_open(['php', dirname(__DIR__, 2) . '/php/bin/stampede', 'reload', $app->folder], [1 => ['file', "{$app->folder}.reload", 'w']], $pipes);
    }
    return $reload !== null && !proc_get_status($reload)['running'] && $load->answered > 1000;
}, 60.0);
$report->check('a reload under load loses no request', $ended && $load->failures() === 0 && $load->sent === $load->answered, $load->summary());
$report->same('the command waits for it and says so', "Process {$app->pid()} serves generation 1.\n", file_get_contents("{$app->folder}.reload"));
$report->check('all workers are of the new generation', Server::until(20, fn (): bool => array_unique(array_column(stateOf($app->folder)['places'], 'generation')) === [1]));
$app->stop();
unlink("{$app->folder}.reload");
unset($app);

// ---- generations that are not used
foreach (['sequential', 'coroutine'] as $isolation) {
    $app = new Application('plain');
    file_put_contents("{$app->folder}/entry.php", '<?php throw new RuntimeException("no " . "boot");');
    $report->check("{$isolation}: a first boot that fails ends the command with a sentence", !$app->serve(['--bridge=psr15', '--entry=entry.php', "--isolation={$isolation}"]) && str_contains($app->output(), 'The application does not boot: RuntimeException: no boot (') && Server::until(10, fn (): bool => !$app->alive()), $app->output());
    $app->stop();
    unset($app);
}
$app = new Application('slim');
$source = (string) file_get_contents("{$app->folder}/app.php");
file_put_contents("{$app->folder}/stampede.php", '<?php return ' . var_export(['workers' => 2, 'health-check' => '/hello/check', 'boot-timeout' => 3, 'log-format' => 'off'], true) . ';');
$report->check('Slim is served', $app->serve(), $app->output());
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
    $report->check("{$name}: reload fails with the reason", $status === 1 && str_contains($output, 'goes on: ') && str_contains($output, $why), $output);
    $report->check("{$name}: status shows it", str_contains(Application::run(['status', $app->folder])[1], 'The newest code is not served: '));
    $report->same("{$name}: the code before goes on", 200, $app->ask('/hello/you')[0]);
}
$report->check('the log names each', substr_count($app->output(), 'The application does not boot: ') >= 6, $app->output());
[$status, $output] = $change('$GLOBALS["kept"] = fopen(__DIR__ . "/composer.json", "r"); chdir("/"); echo "printed"; set_error_handler(fn () => throw new ErrorException("thrown"));');
$report->check('one that prints, changes its folder and sets an error handler is served', $status === 0 && $app->ask('/hello/you')[0] === 200, $output);
$report->check('a file that the boot leaves open is named', str_contains($app->output(), "leaves the file {$app->folder}/composer.json open"), $app->output());
[$status, $output] = Application::run(['status', $app->folder]);
$report->check('status is without the failure then', $status === 0 && str_contains($output, ', loaded by process ') && !str_contains($output, 'not served'), $output);
unset($app);
$report->finish();
