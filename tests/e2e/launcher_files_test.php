<?php

declare(strict_types=1);

/* The files of a server that stampede serve runs, what is left of one that was killed, and whose rights its processes have. */

namespace Stampede\Tests\E2e;

final class launcher_files_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        if (basename($_SERVER['REQUEST_URI']) === 'waits') {
            sleep(3);
        }
        echo posix_geteuid(), ':', posix_getegid();
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
    }

    /** @return list<string> */
    private static function files(): array
    {
        $name = substr(hash('sha256', realpath(self::$app->folder)), 0, 12);
        return glob('{/run/stampede,/run/user/*/stampede,' . sys_get_temp_dir() . "/stampede-*}/{$name}.*", GLOB_BRACE) ?: [];
    }

    public function testFilesThatNobodyElseReaches(): void
    {
        $app = self::$app;
        $mask = umask(0);
        $this->check('with umask 0', $app->serve(['--workers=1']), $app->output());
        umask($mask);
        $files = self::files();
        $this->same('a file and a socket', ['json', 'sock'], array_map(static fn (string $file): string => pathinfo($file, PATHINFO_EXTENSION), $files));
        $this->same('for their user alone', [0600, 0600], array_map(static fn (string $file): int => fileperms($file) & 0777, $files));
        $this->same('in a folder for that user alone', [0700, posix_geteuid()], [fileperms(dirname($files[0])) & 0777, fileowner(dirname($files[0]))]);
        $app->stop();
        $this->same('and none after it', [], self::files());
    }

    public function testAPidFileThatIsALink(): void
    {
        $app = self::$app;
        $file = "{$app->folder}/server.json";
        file_put_contents("{$app->folder}/precious", 'precious');
        symlink("{$app->folder}/precious", $file);
        $this->check('it serves', $app->serve(['--workers=1', "--pid-file={$file}"]), $app->output());
        $this->same('the link is replaced, not what it leads to', [false, 'precious'], [is_link($file), file_get_contents("{$app->folder}/precious")]);
        $app->stop();

        // A folder that others may write to: whoever has put a link in the place of the control socket chooses no other place for it.
        symlink("{$app->folder}/elsewhere", "{$app->folder}/linked.sock");
        $this->check('a link in the place of the control socket is refused', !$app->serve(['--workers=1', "--pid-file={$app->folder}/linked.json"]) && str_contains($app->output(), 'is a link'), $app->output());
        $this->check('nothing is made where it leads', !file_exists("{$app->folder}/elsewhere"));
        $app->stop();
    }

    public function testWhatAKilledServerLeaves(): void
    {
        $app = self::$app;
        $app->serve(['--workers=2']);
        $files = self::files();
        $facts = json_decode((string) file_get_contents($files[0]), true);
        $slow = new Peer("tcp://127.0.0.1:{$app->port}");
        $slow->send(["GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $isBusy = static fn (): bool => array_sum(array_column(json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'] ?? [], 'concurrency')) > 0;
        $this->check('a request is under way', Server::until(5.0, $isBusy));
        posix_kill($app->pid(), SIGKILL);
        Server::until(5.0, static fn (): bool => !$app->alive());

        $other = proc_open(['sleep', '60'], [], $pipes);
        $pid = proc_get_status($other)['pid'];
        file_put_contents($files[0], json_encode(['pid' => $pid] + $facts));
        foreach (['status' => 1, 'reload' => 1, 'stop' => 0] as $command => $status) {
            [$ended, $output] = Application::run([$command, $app->folder]);
            $this->check("{$command} takes no other process for it", $ended === $status && str_contains($output, 'is not served'), $output);
        }
        $this->check('and leaves that alone', proc_get_status($other)['running']);
        proc_terminate($other);
        proc_close($other);

        $this->check('it starts again while an old worker has a client', $app->serve(['--workers=1']), $app->output());
        $this->same('and serves', 200, $app->ask('/')[0]);
        $this->check('that client gets its response', str_contains($slow->readToEnd(10.0), '200 OK'));
        $app->stop();
    }

    public function testProcessOneOfAContainer(): void
    {
        $app = self::$app;
        $file = "{$app->folder}.container.json";
        $served = implode(' ', array_map(escapeshellarg(...), Application::command(['serve', $app->folder, "--listen=127.0.0.1:{$app->port}", '--workers=1', "--pid-file={$file}"])));
        exec('unshare -pf --mount true 2>/dev/null', $output, $status);
        if ($status !== 0) {
            self::markTestSkipped('there are no namespaces for this user');
        }
        for ($run = 1; $run <= 2; $run++) {
            $container = proc_open(['unshare', '-pf', '--mount', '--kill-child', 'sh', '-c', "mount -t proc proc /proc; exec {$served}"], [['file', '/dev/null', 'r'], ['file', "{$app->folder}.container.log", 'w'], ['redirect', 1]], $pipes);
            $this->check("start {$run} of a container whose server is process 1", Server::until(15.0, static fn (): bool => str_contains((string) @file_get_contents("{$app->folder}.container.log"), 'Listening on')), (string) file_get_contents("{$app->folder}.container.log"));
            proc_terminate($container, SIGKILL);
            proc_close($container);
        }
        array_map(unlink(...), glob("{$app->folder}.container.*") ?: []);
    }

    public function testTheUserOfAllProcesses(): void
    {
        $app = self::$app;
        $user = posix_getpwnam('www-data') ?: posix_getpwnam('nobody');
        if (posix_geteuid() !== 0 || $user === false) {
            self::markTestSkipped('only root can start a server for another user');
        }
        $note = External::folder();
        chmod($note, 0777);
        $expected = "{$user['uid']}:{$user['gid']}";
        $groups = trim((string) shell_exec('id -G ' . escapeshellarg($user['name'])));
        foreach (['sequential', 'process'] as $isolation) {
            $command = ['sh', '-c', "(id -u; id -G; grep CapEff: /proc/self/status; echo \$HOME \$USER) > {$note}/{$isolation}; sleep 1000"];
            $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", "--user={$user['name']}", '--background=' . json_encode(['queue' => $command])]);
            $this->same("{$isolation}: requests run as the user", $expected, $app->ask('/')[2]);
            $this->check('background commands, too', Server::until(5.0, static fn (): bool => substr_count((string) @file_get_contents("{$note}/{$isolation}"), "\n") === 4));
            $this->same('with its groups, no capability, and its own home', "{$user['uid']}\n{$groups}\nCapEff:\t0000000000000000\n{$user['dir']} {$user['name']}\n", file_get_contents("{$note}/{$isolation}"));
            $app->stop();
        }
        $this->check('root is told', $app->serve(['--workers=1']) && str_contains($app->output(), 'The application runs as root: --user=NAME[:GROUP]'), $app->output());
        $app->stop();
        chown($app->folder, $user['uid']);
        $this->same('"auto" is the owner of the folder', [true, $expected], [$app->serve(['--workers=1', '--user=auto']), $app->ask('/')[2]]);
        $app->stop();
        chown($app->folder, 0);
        $this->check('and refuses root', !$app->serve(['--user=auto']) && str_contains($app->output(), 'belongs to root. Name a user'), $app->output());
        $app->stop();
    }

    public function testAFileThatTheUserMayNoLongerRead(): void
    {
        $app = self::$app;
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('only root can start a server for another user');
        }
        $file = "{$app->folder}/public/rights.js";
        file_put_contents($file, 'let a;');
        chmod($file, 0644);
        $app->serve(['--workers=1', '--env=prod', '--user=nobody']);
        $this->check('nothing is said of rights', !str_contains($app->output(), 'cannot be read'), $app->output());
        $this->same('the file is sent, and kept in memory', [200, 200], [$app->ask('/rights.js')[0], $app->ask('/rights.js')[0]]);
        chmod($file, 0);
        $this->same('and no more without the right to read it', 403, $app->ask('/rights.js')[0]);
        $app->stop();
        unlink($file);
        chmod("{$app->folder}/public/index.php", 0600);
        $app->serve(['--workers=1', '--env=prod', '--user=nobody']);
        $this->check('a script that the user may not read is named at the start', str_contains($app->output(), '/public/index.php cannot be read by nobody. Let that user read'), $app->output());
        $app->stop();
        chmod("{$app->folder}/public/index.php", 0644);
    }
}
