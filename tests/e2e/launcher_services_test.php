<?php

declare(strict_types=1);

/* Services that live longer than requests, under the command stampede: what they set when they are made, and what controllers print and set. */

namespace Stampede\Tests\E2e;

final class launcher_services_test extends EndToEndTest
{
    /** @var array<string, Application> by name: an application's packages are many files */
    private static array $applications = [];

    public static function tearDownAfterClass(): void
    {
        self::$applications = [];
        parent::tearDownAfterClass();
    }

    private static function application(string $name): Application
    {
        return self::$applications[$name] ??= new Application($name);
    }

    public function testSettingsOfSymfonysServices(): void
    {
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app = self::application('symfony');
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}"]), $app->output());
            $made = ['Asia/Tokyo', 7, '9', '/of/a/service', true, true];
            [$before, $after] = json_decode($app->ask('/settings')[2], true);
            $this->same('they are in force in the request that makes the service', [...$made, '5'], $after);
            $this->check('and were not before', array_intersect_key($before, [0, 1, 2, 3]) !== array_slice($made, 0, 4));
            foreach ([2, 3, 4] as $request) {
                [$now, $after] = json_decode($app->ask('/settings')[2], true);
                $this->same("they are in force in request {$request}, what the controller has set is not", [...$made, '-1'], $now);
                $this->same("nor is anything lost by the controller of request {$request}", [...$made, '5'], $after);
            }
            $app->stop();
        }
    }

    public function testWhatControllersPrint(): void
    {
        $app = self::application('symfony');
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}", '--env=prod']), $app->output());
            foreach ([0, 10, 200_000] as $size) {
                [$status, $head, $body] = $app->ask("/prints/{$size}");
                $this->same("isolation {$isolation}: {$size} bytes before the body", [201, true, str_repeat('x', $size) . ' left open body'], [$status, str_contains($head, 'X-Own: yes'), $body]);
                $this->check("isolation {$isolation}: the session begins all the same", self::cookieOf($head, 'PHPSESSID') !== '', $head);
            }
            $this->same("isolation {$isolation}: the next response has its own body alone", 'words', $app->ask('/words')[2]);
            $app->stop();
        }
    }

    public function testSessionsInAFolderOfTheApplication(): void
    {
        $app = self::application('symfony');
        exec('rm -rf ' . escapeshellarg("{$app->folder}/var/cache"));
        $kernel = "{$app->folder}/src/Kernel.php";
        file_put_contents($kernel, str_replace("'handler_id' => null", "'handler_id' => 'session.handler.native_file', 'save_path' => '%kernel.project_dir%/kept'", (string) file_get_contents($kernel)));
        $this->check('served', $app->serve(['--workers=2', '--env=prod']), $app->output());
        $users = [];
        for ($user = 0; $user < 8; $user++) {
            $users[$user] = self::cookieOf($app->ask('/visits')[1], 'PHPSESSID');
        }
        $visits = static fn (): array => array_values(array_unique(array_map(static fn (string $cookie): string => $app->ask('/visits', '', ["Cookie: {$cookie}"])[2], $users)));
        foreach ([2, 3, 4] as $visit) {
            $this->same("visit {$visit} of each user", ["visits {$visit}"], $visits());
        }
        $this->same('the files are where the application wants them', 8, count(glob("{$app->folder}/kept/sess_*") ?: []));
        $this->same('a reload', 0, Application::run(['reload', $app->folder])[0]);
        foreach ([5, 6] as $visit) {
            $this->same("nobody is logged out by it: visit {$visit}", ["visits {$visit}"], $visits());
        }
        $app->stop();
    }

    public function testWhatLaravelsClassesKeep(): void
    {
        $app = self::application('laravel');
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}", '--env=prod']), $app->output());
            $state = json_decode($app->ask('/state')[2], true);
            $this->check("isolation {$isolation}: models are booted", ($state['booted models'] ?? false) === true, $app->output());
            foreach ([1, 2] as $time) {
                $changed = json_decode($app->ask('/changes')[2], true);
                $this->same("isolation {$isolation}: everything is changed", ['booted models', 'once'], array_keys(array_filter($state, static fn (mixed $value, string $name): bool => $value === ($changed[$name] ?? null), ARRAY_FILTER_USE_BOTH)));
                $this->same("isolation {$isolation}: the next request finds what the boot has left", $state, json_decode($app->ask('/state')[2], true));
                $this->same("isolation {$isolation}: a route that a request has added is gone", 404, $app->ask('/of-one-request')[0]);
            }
            $app->stop();
        }
    }

    public function testCachedRoutesOfLaravel(): void
    {
        $app = self::application('laravel');
        $artisan = '<?php require "vendor/autoload.php"; $app = require "bootstrap/app.php"; exit($app->handleCommand(new Symfony\Component\Console\Input\ArgvInput()));';
        file_put_contents("{$app->folder}/artisan", $artisan);
        exec('cd ' . escapeshellarg($app->folder) . ' && php artisan route:cache 2>&1', $lines, $status);
        $this->check('the routes are cached', $status === 0 && glob("{$app->folder}/bootstrap/cache/routes-*.php") !== [], implode("\n", $lines));
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}", '--env=prod']), $app->output());
            foreach ([1, 2, 3] as $request) {
                $this->same("isolation {$isolation}: request {$request} to a closure", [200, 'you'], [($response = $app->ask('/hello/you'))[0], json_decode($response[2], true)['hello'] ?? null]);
            }
            $app->stop();
        }
    }

    private static function cookieOf(string $head, string $name): string
    {
        return preg_match("/^Set-Cookie: ({$name}=[^;]+)/mi", $head, $found) === 1 ? $found[1] : '';
    }
}
