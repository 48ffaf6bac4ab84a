<?php

declare(strict_types=1);

/*
 * Workers come and go while requests are served: their number changes, those that have grown or are old are replaced one at a time,
 * and the new ones load the code that is there then.
 */

namespace Stampede\Tests\E2e;

/** @return array<int, string> states by place */
function states(Control $control): array
{
    return array_column($control->ask(['workers'])['workers'], 'state', 'id');
}

/** Serves a load while something is done, and says whether no request was lost. */
function underLoad(EndToEndTest $test, string $what, Server $server, callable $done): void
{
    $load = new Load($server->address(), 12);
    $ended = $load->runUntil(static fn (): bool => $load->answered > 200 && $done());
    $test->check("$what: no request is lost", $ended && $load->failures() === 0 && $load->sent === $load->answered, $load->summary());
}

/** Kept connections that ask, each after a pause of its own, until the time is over: what became of their requests. */
function patientLoad(Server $server, int $count, float $seconds, float $longestPause, callable $meanwhile): array
{
    $made = ['answered' => 0, 'last' => 0, 'cut' => 0, 'closed between requests' => 0];
    $peers = [];
    $end = microtime(true) + $seconds;
    while (($now = microtime(true)) < $end || array_filter(array_column($peers, 'asked')) !== []) {
        $meanwhile();
        while (count($peers) < $count && $now < $end) {
            $peers[] = ['peer' => new Peer($server->address()), 'seen' => 0, 'asked' => false, 'due' => $now];
        }
        foreach ($peers as $number => &$one) {
            $peer = $one['peer'];
            if (!$one['asked'] && $one['due'] <= $now && $now < $end) {
                $one['asked'] = $peer->send(["GET /pid HTTP/1.1\r\nHost: a\r\n\r\n"]);
                $one['due'] = $now + 15;
            }
            $answers = $peer->answers($one['seen'] + 1, 0);
            if (count($answers) > $one['seen'] && end($answers)->whole) {
                $one = ['seen' => count($answers), 'asked' => false, 'due' => $now + $longestPause * mt_rand() / mt_getrandmax()] + $one;
                $made['answered']++;
                if (end($answers)->closes()) {
                    $made['last']++;
                    unset($peers[$number]);
                }
            } elseif ($peer->ended() || ($one['asked'] && $one['due'] < $now)) {
                $made[$one['asked'] ? 'cut' : 'closed between requests']++;
                unset($peers[$number]);
            }
        }
        unset($one);
        usleep(1000);
    }
    return $made;
}

final class workers_test extends EndToEndTest
{
    private static string $path;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-workers-' . getmypid();
        mkdir($folder);
        self::$path = "$folder/control.sock";
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        rmdir($folder);
    }

    public function testScaling(): void
    {
        $path = self::$path;
        // The number of workers.
        $server = new Server('workers', ['worker_num' => 4, 'worker_start_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path]);
        $control = new Control($path);
        $this->check('two of four at the start', Server::until(10, static fn (): bool => states($control) === [0 => 'serving', 1 => 'serving', 2 => 'off', 3 => 'off', 4 => 'serving']), json_encode(states($control)));
        $this->same('stats', [2, 2], [$control->ask(['stats'])['worker_num'], $control->ask(['stats'])['idle_worker_num']]);
        $this->same('no message goes to a place without a worker', [false, 'Swoole\Server::sendMessage(): worker 3 is not running: there are 2 workers now'], json_decode(ask($server, '/message?n=3')[1], true));
        $before = array_column(array_slice($control->ask(['workers'])['workers'], 0, 2), 'pid');
        underLoad($this, 'more workers', $server, static function () use ($control): bool {
            $control->ask(['scale', 'number' => 4]);
            return array_unique(states($control)) === ['serving'];
        });
        $this->same('those that were there stay', $before, array_column(array_slice($control->ask(['workers'])['workers'], 0, 2), 'pid'));
        $this->same('the response', ['workers' => 4, 'places' => 4], $control->ask(['scale', 'number' => 4]));
        underLoad($this, 'fewer workers', $server, static function () use ($control): bool {
            $control->ask(['scale', 'number' => 1]);
            return states($control) === [0 => 'serving', 1 => 'off', 2 => 'off', 3 => 'off', 4 => 'serving'];
        });
        underLoad($this, 'more and fewer', $server, static function () use ($control): bool {
            static $count = 0;
            $control->ask(['scale', 'number' => $count % 4 + 1]);
            return ++$count > 30;
        });
        $control->ask(['scale', 'number' => 2]);
        Server::until(10, static fn (): bool => states($control) === [0 => 'serving', 1 => 'serving', 2 => 'off', 3 => 'off', 4 => 'serving']);
        $control->ask(['reload']);
        $this->check('a reload leaves empty places alone', Server::until(20, static function () use ($control): bool {
            $workers = $control->ask(['workers'])['workers'];
            return array_column($workers, 'state', 'id') === [0 => 'serving', 1 => 'serving', 2 => 'off', 3 => 'off', 4 => 'serving'] && $workers[0]['generation'] === 1;
        }));
        foreach ([0, 5] as $number) {
            $this->check("not $number workers", str_contains($control->ask(['scale', 'number' => $number])['error'] ?? '', 'from 1 to 4, which is worker_num'));
        }
        $this->same('from a worker', [true, ''], json_decode(ask($server, '/set?n=3')[1], true));
        $this->check('it has come', Server::until(10, static fn (): bool => states($control)[2] === 'serving' && states($control)[3] === 'off'));
        [$result, $reason] = json_decode(ask($server, '/set?n=9')[1], true);
        $this->check('from a worker: too many', $result === false && str_contains($reason, 'from 1 to 4'), $reason);
        $this->same('the server ends well', 0, $server->stop());
        unset($server, $control);
        foreach ([['worker_num' => 2, 'worker_start_num' => 3], ['worker_num' => 2, 'worker_start_num' => 1, 'enable_reuse_port' => true]] as $settings) {
            $reason = whyNot('workers', $settings);
            $this->check('refused: ' . json_encode($settings), str_contains($reason, 'worker_start_num'), $reason);
        }
    }

    public function testLimitsOfMemory(): void
    {
        $path = self::$path;
        // Memory.
        $server = new Server('workers', ['worker_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path, 'worker_max_memory' => '100M']);
        $control = new Control($path);
        Server::until(10, static fn (): bool => array_unique(states($control)) === ['serving']);
        [$first, $second, $tasks] = array_column($control->ask(['workers'])['workers'], 'pid');
        $grown = 0;
        underLoad($this, 'a large worker is replaced', $server, static function () use ($server, $control, &$grown): bool {
            $grown = $grown ?: (int) ask($server, '/grow?n=150')[1];
            return count(states($control)) === 3 && !in_array($grown, array_column($control->ask(['workers'])['workers'], 'pid'), true);
        });
        $this->check('the other one is not', count(array_intersect([$first, $second], array_column($control->ask(['workers'])['workers'], 'pid'))) === 1);
        $this->same('the log says why', 1, substr_count($server->output(), "(pid $grown) has reached worker_max_memory and is replaced"));
        $this->same('a task worker gives its result', (string) $tasks, ask($server, '/task?n=150')[1]);
        $this->check('and is replaced', Server::until(10, static fn (): bool => ($control->ask(['workers'])['workers'][2]['pid'] ?? $tasks) !== $tasks && states($control)[2] === 'serving'));
        $this->same('the server ends well', 0, $server->stop());
        unset($server, $control);
        $server = new Server('workers', ['worker_num' => 1, 'control_socket' => $path, 'worker_max_memory' => '60M', '_reserve' => 80]);
        $control = new Control($path);
        $this->check('a limit below what a new worker needs', Server::until(10, static fn (): bool => str_contains($server->output(), 'before its first request: it is not replaced for that')), $server->output());
        unset($server, $control);
    }

    public function testReloadsOneAtATime(): void
    {
        $path = self::$path;
        // Age.
        $server = new Server('workers', ['worker_num' => 3, 'control_socket' => $path, 'worker_max_age' => 0.5, 'max_wait_time' => 2]);
        $control = new Control($path);
        Server::until(10, static fn (): bool => array_unique(states($control)) === ['serving']);
        $old = array_column($control->ask(['workers'])['workers'], 'pid');
        $most = 0;
        underLoad($this, 'old workers are replaced', $server, static function () use ($control, $old, &$most): bool {
            $workers = $control->ask(['workers'])['workers'];
            $most = max($most, count($workers));
            return array_intersect($old, array_column($workers, 'pid')) === [];
        });
        $this->same('one at a time', 4, $most);
        $this->same('the server ends well', 0, $server->stop());
        unset($server, $control);
    }

    public function testOpenConnectionsOverAReload(): void
    {
        $path = self::$path;
        // Connections that are idle while their worker is replaced: a request that comes late has its response, which ends the connection.
        $server = new Server('workers', ['worker_num' => 2, 'control_socket' => $path, 'max_wait_time' => 8]);
        $control = new Control($path);
        Server::until(10, static fn (): bool => states($control) === ['serving', 'serving']);
        $request = "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n";
        $used = $unused = [];
        for ($i = 0; $i < 20; $i++) {
            $used[] = $peer = new Peer($server->address());
            $peer->send([$request]);
            $peer->answers(1);
            $unused[] = new Peer($server->address());
        }
        $silent = new Peer($server->address());
        $silent->send([$request]);
        $silent->answers(1);
        Server::until(10, static fn (): bool => $control->ask(['connections'])['total'] === 41);
        $old = array_column($control->ask(['workers'])['workers'], 'pid');
        $control->ask(['reload']);
        Server::until(10, static fn (): bool => count(array_keys(array_column($control->ask(['workers'])['workers'], 'state', 'pid'), 'leaving', true)) === 2);
        $this->check('both old workers wait for them', !Server::until(2.5, static fn (): bool => array_diff($old, array_column($control->ask(['workers'])['workers'], 'pid')) !== []));
        $late = [];
        foreach ([...$used, ...$unused] as $number => $peer) {
            $peer->send([$request]);
            $answers = $peer->answers($number < 20 ? 2 : 1);
            $last = end($answers) ?: null;
            $late[] = count($answers) === ($number < 20 ? 2 : 1) && $last->whole && $last->closes() && in_array((int) $last->body, $old, true);
        }
        $this->same('a late request has its response, the last one of its connection', 40, count(array_filter($late)));
        $silent->readToEnd(15);
        $this->check('one that never comes is not waited for', $silent->ended() && !$silent->wasReset() && Server::until(10, static fn (): bool => array_intersect($old, array_column($control->ask(['workers'])['workers'], 'pid')) === []));
        $next = 0.0;
        $made = patientLoad($server, 40, 8.0, 2.5, static function () use ($control, &$next): void {
            if (microtime(true) > $next) {
                $control->ask(['reload']);
                $next = microtime(true) + 1.5;
            }
        });
        $this->check('reloads, and peers that pause: every request is answered, every connection ends with a response', $made['cut'] === 0 && $made['closed between requests'] === 0
            && $made['last'] > 40 && $made['answered'] > $made['last'], json_encode($made));
        $used = $unused = [];
        $silent = new Peer($server->address());
        $silent->send([$request]);
        $silent->answers(1);
        $control->ask(['reload']);
        $this->check('a worker waits for a silent peer', Server::until(10, static function () use ($control): bool {
            $leaving = array_filter($control->ask(['workers'])['workers'], static fn (array $worker): bool => $worker['state'] === 'leaving');
            return array_column($leaving, 'connections') === [1] && array_unique(states($control)) === ['serving'];
        }), json_encode($control->ask(['workers'])));
        $this->check('for longer than a second', !Server::until(1.5, static fn (): bool => !in_array('leaving', array_column($control->ask(['workers'])['workers'], 'state'), true)));
        $began = microtime(true);
        $this->same('the server ends well', 0, $server->stop());
        $this->check('and at its end has no patience', microtime(true) - $began < 5, (string) (microtime(true) - $began));
        unset($server, $control);
    }

    public function testReleases(): void
    {
        [$folder, $path] = [self::$folder, self::$path];
        // The code of a release that a symbolic link leads to, and code that was changed in its place.
        foreach (['plain' => [], 'opcache' => ['zend_extension=opcache', 'opcache.enable_cli=1'],
            'opcache without times' => ['zend_extension=opcache', 'opcache.enable_cli=1', 'opcache.validate_timestamps=0']] as $form => $ini) {
            $write = static function (string $release, string $text, int $age) use ($folder): void {
                @mkdir("$folder/$release");
                file_put_contents("$folder/$release/name.php", "<?php namespace Release; function name() { return '$text'; }");
                file_put_contents("$folder/$release/app.php", "<?php require_once '$folder/current/name.php'; return ['$text', \\Release\\name()];");
                touch("$folder/$release/name.php", time() - $age);
                touch("$folder/$release/app.php", time() - $age);
            };
            $write('one', 'one', 100);
            $write('two', 'two', 100);
            symlink('one', "$folder/current");
            $server = new Server('workers', ['worker_num' => 2, 'control_socket' => $path, '_code' => "$folder/current/app.php"], ini: $ini);
            $control = new Control($path);
            Server::until(10, static fn (): bool => states($control) === ['serving', 'serving']);
            $reload = static function () use ($control): bool {
                static $generation = 0;
                $generation = 1 + max(array_column($control->ask(['workers'])['workers'], 'generation'));
                $control->ask(['reload']);
                return Server::until(20, static fn (): bool => array_unique(array_column($control->ask(['workers'])['workers'], 'generation')) === [$generation]);
            };
            $this->same("$form: the first release", '["one","one"]', ask($server, '/code')[1]);
            $write('one', 'changed', 50);
            $this->check("$form: reloaded", $reload());
            $this->same("$form: what was changed in its place", '["changed","changed"]', ask($server, '/code')[1]);
            symlink('two', "$folder/next");
            rename("$folder/next", "$folder/current");
            $this->check("$form: reloaded again", $reload());
            $this->same("$form: the second release", '["two","two"]', ask($server, '/code')[1]);
            $this->same("$form: the server ends well", 0, $server->stop());
            unset($server, $control);
            unlink("$folder/current");
        }
        foreach (['one', 'two'] as $release) {
            array_map(unlink(...), glob("$folder/$release/*"));
            rmdir("$folder/$release");
        }
    }
}
