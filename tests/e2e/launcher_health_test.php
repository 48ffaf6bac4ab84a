<?php

declare(strict_types=1);

/* The command stampede with an address where programs that watch over the server ask how it is. */

namespace Stampede\Tests\E2e;

final class launcher_health_test extends EndToEndTest
{
    public function testAServerThatServes(): void
    {
        $app = new Application('plain');
        $port = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=2', '--env=prod', "--health-listen=127.0.0.1:{$port}"]), $app->output());
        $this->same('it lives', [200, "The supervisor runs.\n"], self::ask($port, '/live'));
        $this->check('it is ready', Server::until(10.0, static fn (): bool => self::ask($port, '/ready') === [200, "2 of 2 workers serve.\n"]), json_encode(self::ask($port, '/ready')));
        [$status, $body] = self::ask($port, '/status');
        $facts = json_decode($body, true);
        $this->same('its state is JSON', [200, true, 2, 'plain', 2, ''], [$status, $facts['ready'], $facts['workers'], $facts['kind'], count($facts['places']), $facts['generation']['failure']]);
        $this->check('with the time of its start', abs($facts['started_at'] - filemtime("{$app->folder}.log")) < 60 && $facts['started_at'] === json_decode(self::ask($port, '/status')[1], true)['started_at']);
        $this->same('other paths and methods', [404, 405], [self::ask($port, '/')[0], self::ask($port, '/live', 'POST')[0]]);
        $this->same('the application keeps these paths', [200, 200], [$app->ask('/live')[0], $app->ask('/ready')[0]]);
        foreach ($facts['places'] as $place) {
            posix_kill($place['pid'], SIGSTOP);
        }
        $this->same('workers that are stopped are no reason to end the supervisor', 200, self::ask($port, '/live')[0]);
        foreach ($facts['places'] as $place) {
            posix_kill($place['pid'], SIGCONT);
        }
        [$status, $output] = Application::run(['serve', $app->folder, "--listen=127.0.0.1:" . Server::freePort(), "--health-listen=127.0.0.1:{$port}", "--pid-file={$app->folder}/other.json"]);
        $this->check('an address in use is told', $status === 1 && str_contains($output, "127.0.0.1:{$port} cannot be listened on"), $output);
    }

    public function testAServerThatDrains(): void
    {
        $app = new Application('plain');
        $port = Server::freePort();
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', '--drain=60', "--health-listen=127.0.0.1:{$port}"]), $app->output());
        $this->check('it is ready', Server::until(10.0, static fn (): bool => self::ask($port, '/ready')[0] === 200));
        posix_kill($app->pid(), SIGTERM);
        $this->check('after the request to stop it is not', Server::until(10.0, static fn (): bool => self::ask($port, '/ready') === [503, "The server is being stopped.\n"]), json_encode(self::ask($port, '/ready')));
        $this->same('and serves', [200, 200], [self::ask($port, '/live')[0], $app->ask('/')[0]]);
        posix_kill($app->pid(), SIGTERM);
        $this->check('a second request ends it', Server::until(10.0, static fn (): bool => !$app->alive()), $app->output());
    }

    public function testAUnixSocket(): void
    {
        $app = new Application('plain');
        $socket = "{$app->folder}/health.sock";
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--health-listen=unix:{$socket}"]), $app->output());
        $peer = new Peer("unix://{$socket}");
        $peer->send(["GET /live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $this->check('it lives', str_contains($peer->readToEnd(10.0), 'The supervisor runs.'));
        $app->stop();
        $this->check('the socket is gone with the server', !file_exists($socket));
    }

    public function testAnApplicationThatBootsSlowly(): void
    {
        $app = new Application('slim');
        $code = (string) file_get_contents("{$app->folder}/app.php");
        $boot = static fn (string $first): int|false => file_put_contents("{$app->folder}/app.php", str_replace('$app = AppFactory::create();', "{$first}\n\$app = AppFactory::create();", $code));
        $gate = "{$app->folder}/gate";
        $boot("while (!is_file('{$gate}')) { usleep(10000); }");
        $port = Server::freePort();
        $app->start(['--workers=1', '--env=prod', "--health-listen=127.0.0.1:{$port}", '--boot-timeout=60']);
        $this->check('while it boots it lives', Server::until(20.0, static fn (): bool => self::ask($port, '/live')[0] === 200), $app->output());
        $this->same('and is not ready', [503, "No worker serves yet.\n"], self::ask($port, '/ready'));
        touch($gate);
        $this->check('after its boot it is', Server::until(20.0, static fn (): bool => self::ask($port, '/ready')[0] === 200), $app->output());
        $boot('throw new RuntimeException("broken");');
        [$status] = Application::run(['reload', $app->folder]);
        $this->same('a reload that fails leaves the code before', [1, 200], [$status, self::ask($port, '/ready')[0]]);
        $this->check('the state says why', str_contains(json_decode(self::ask($port, '/status')[1], true)['generation']['failure'], 'broken'), self::ask($port, '/status')[1]);
    }

    /** @return array{int, string} status and body; 0 where nobody listens */
    private static function ask(int $port, string $path, string $method = 'GET'): array
    {
        try {
            $peer = new Peer("tcp://127.0.0.1:{$port}");
        } catch (\ErrorException) {
            return [0, ''];
        }
        $peer->send(["{$method} {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"]);
        $answers = Answer::all($peer->readToEnd(10.0), [$method]);
        return $answers === [] ? [0, ''] : [$answers[0]->status, $answers[0]->body];
    }
}
