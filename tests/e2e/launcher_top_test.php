<?php

declare(strict_types=1);

/* `stampede top`: what a server does now, for programs and on the screen of a terminal. */

namespace Stampede\Tests\E2e;

final class launcher_top_test extends EndToEndTest
{
    public function testForPrograms(): void
    {
        $app = self::served(['--workers=2', '--env=prod', '--health-listen=127.0.0.1:' . Server::freePort()]);
        $busy = self::ask($app, '/busy');
        $this->check('a request that computes is there', Server::until(20.0, static fn (): bool => (self::top($app)['requests'][0]['state'] ?? '') === 'computing'), json_encode(self::top($app)));
        $slow = self::ask($app, '/hello/slow?wait=60000000'); // of the other worker, for this one accepts nothing now
        $this->check('both requests are there', Server::until(20.0, static fn (): bool => count(self::top($app)['requests'] ?? []) === 2), json_encode(self::top($app)));
        $facts = self::top($app);
        $states = array_column($facts['requests'], null, 'target');
        $this->same('one waits', ['waiting', 'sleep', true], [$states['/hello/slow']['state'], $states['/hello/slow']['waits_for'], $states['/hello/slow']['state_ms'] > 0]);
        $this->same('and the other computes', ['computing', '127.0.0.1'], [$states['/busy']['state'], $states['/busy']['client']]);
        $this->check('ages are milliseconds', $states['/busy']['age_ms'] > 10 && $states['/busy']['age_ms'] < 60_000, json_encode($states));
        posix_kill($states['/busy']['pid'], SIGKILL); // it would keep the server from its stop
        $top = proc_open(Application::command(['top', $app->folder, '--once', '--format=json', '--interval=1']), [['file', '/dev/null', 'r'], ['file', "{$app->folder}/top.json", 'w'], ['redirect', 1]], $pipes);
        while (proc_get_status($top)['running']) {
            $app->ask('/hello/a');
        }
        proc_close($top);
        $activity = json_decode((string) file_get_contents("{$app->folder}/top.json"), true);
        $this->check('rates and latencies are those of the interval', $activity['rates']['requests'] > 0 && $activity['latency_ms']['p50'] > 0 && $activity['latency_ms']['p99'] >= $activity['latency_ms']['p50'], json_encode($activity));
        $this->same('two workers', 2, count($facts['workers']));
        [$status, $text] = Application::run(['top', $app->folder, '--once', '--interval=0.1']);
        $this->check('as text', $status === 0 && str_contains($text, 'GET /hello/slow') && str_contains($text, 'waits: sleep'), $text);
        [$status, $text] = Application::run(['top', $app->folder]);
        $this->same('the screen needs a terminal', [1, "This needs a terminal: use --once, or --once --format=json.\n"], [$status, $text]);
        unset($slow, $busy);
        $app->stop();
        $this->same('of a server that is not there', [1, "{$app->folder} is not served.\n"], Application::run(['top', $app->folder, '--once']));
    }

    public function testOnTheScreenOfATerminal(): void
    {
        $app = self::served(['--workers=2', '--env=prod', '--health-listen=127.0.0.1:' . Server::freePort()]);
        $sleeps = self::ask($app, '/hello/sleeps?wait=120000000');
        $other = self::ask($app, '/hello/other?wait=120000000');
        $folder = External::folder();
        $tmux = static fn (string ...$arguments): string => self::tmux($folder, ...$arguments);
        $tmux('new-session', '-d', '-x', '80', '-y', '24', implode(' ', array_map(escapeshellarg(...), Application::command(['top', $app->folder]))) . '; echo left; exec cat');
        $screen = static fn (): string => $tmux('capture-pane', '-p');
        $this->check('the page is there', Server::until(20.0, static fn (): bool => str_contains($screen(), 'GET /hello/sleeps') && str_contains($screen(), 'GET /hello/other')), $screen());
        $lines = explode("\n", rtrim($screen(), "\n"));
        $this->check('no line is wider than 80 columns, and they are 24', count($lines) <= 24 && max(array_map(strlen(...), $lines)) <= 80, $screen());
        $this->check('with rates, workers and what each waits for', str_contains($screen(), 'req/s') && preg_match('/^0 +\d+ serving/m', $screen()) === 1 && substr_count($screen(), 'waits: sleep') === 2, $screen());
        $tmux('send-keys', '/', 'sleeps', 'Enter');
        $this->check('a filter leaves what fits', Server::until(10.0, static fn (): bool => str_contains($screen(), 'GET /hello/sleeps') && !str_contains($screen(), 'GET /hello/other')), $screen());
        $tmux('send-keys', 's');
        $this->check('s sorts', Server::until(10.0, static fn (): bool => str_contains($screen(), 'by since')), $screen());
        $tmux('send-keys', 't');
        $this->check('t shows the stack', Server::until(10.0, static fn (): bool => str_contains($screen(), 'usleep()') && str_contains($screen(), 'any key: back')), $screen());
        $tmux('send-keys', 'x');
        $this->check('a key leads back', Server::until(10.0, static fn (): bool => str_contains($screen(), 'req/s')), $screen());
        $tmux('send-keys', 'c');
        $this->check('c asks before', Server::until(10.0, static fn (): bool => str_contains($screen(), 'Cancel the wait of GET /hello/sleeps')), $screen());
        $tmux('send-keys', 'n');
        $this->check('no leaves it', Server::until(10.0, static fn (): bool => !str_contains($screen(), 'Cancel the wait')) && str_contains($screen(), 'GET /hello/sleeps'), $screen());
        $tmux('send-keys', 'c', 'y');
        $this->check('yes ends its wait', str_contains($sleeps->readToEnd(20.0), 'HTTP/1.1 '), $screen());
        $this->check('and it is no more', Server::until(10.0, static fn (): bool => str_contains($screen(), 'no requests in work that fit')), $screen());
        $tmux('send-keys', 'Escape');
        $this->check('escape forgets the filter', Server::until(10.0, static fn (): bool => str_contains($screen(), 'GET /hello/other')), $screen());
        $pid = self::top($app)['requests'][0]['pid'];
        $tmux('send-keys', 'k');
        $this->check('k asks before, and says what is lost', Server::until(10.0, static fn (): bool => str_contains($screen(), "(pid {$pid}) at once")), $screen());
        $tmux('send-keys', 'y');
        $this->check('the worker is killed', Server::until(10.0, static fn (): bool => !posix_kill($pid, 0)), $screen());
        $this->check('and replaced', Server::until(10.0, static fn (): bool => $app->ask('/hello/a')[0] === 200 && str_contains($screen(), 'no requests in work')), $screen());
        $tmux('resize-window', '-x', '100', '-y', '30');
        $this->check('the page follows the window', Server::until(10.0, static fn (): bool => (explode("\n", $screen())[29] ?? '') !== ''), $screen());
        $tmux('send-keys', 'q');
        $this->check('q leaves the terminal as it was', Server::until(10.0, static fn (): bool => str_contains($screen(), 'left') && !str_contains($screen(), 'req/s')), $screen());
        $tmux('kill-server');
        unset($other);
    }

    /** @param list<string> $options */
    private static function served(array $options): Application
    {
        $app = new Application('slim');
        $code = (string) file_get_contents("{$app->folder}/app.php");
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', "\$app->get('/busy', function () { for (\$until = microtime(true) + 25; microtime(true) < \$until;) { } throw new Exception('late'); });\n\$app->addErrorMiddleware", $code));
        if (!$app->serve([...$options, '--request-timeout=120'])) {
            throw new \RuntimeException($app->output());
        }
        return $app;
    }

    /** A request whose response nobody waits for yet. */
    private static function ask(Application $app, string $path): Peer
    {
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]);
        return $peer;
    }

    /** @return array<string, mixed> */
    private static function top(Application $app): array
    {
        return json_decode(Application::run(['top', $app->folder, '--once', '--format=json', '--interval=0.5'])[1], true) ?? [];
    }

    private static function tmux(string $folder, string ...$arguments): string
    {
        $process = proc_open(['tmux', '-S', "{$folder}/tmux", '-f', '/dev/null', ...$arguments], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, null, ['TERM' => 'xterm', 'LANG' => 'C.UTF-8'] + getenv());
        $output = (string) stream_get_contents($pipes[1]);
        proc_close($process);
        return $output;
    }
}
