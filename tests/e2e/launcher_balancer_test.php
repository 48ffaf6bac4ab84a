<?php

declare(strict_types=1);

/* nginx in front of an application that the command stampede serves: each worker alone has a port or path, of which nginx chooses. */

namespace Stampede\Tests\E2e;

final class launcher_balancer_test extends EndToEndTest
{
    private const WORKERS = 3;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('plain');
        file_put_contents(self::$app->folder . '/public/index.php', '<?php usleep((int) ($_GET["wait"] ?? 0)); echo getmypid();');
    }

    public function testPortsOfWorkers(): void
    {
        $app = self::$app;
        $first = self::freePorts();
        $this->check('it is served', $app->serve(['--workers=' . self::WORKERS, "--worker-listen=127.0.0.1:{$first}"]), $app->output());
        $this->check('it says where each worker is', str_contains($app->output(), 'each worker alone on ' . implode(', ', array_map(static fn (int $i): string => 'http://127.0.0.1:' . $first + $i . '/', range(0, self::WORKERS - 1)))), $app->output());
        $pids = array_map(fn (int $i): array => self::pids($first + $i), range(0, self::WORKERS - 1));
        $this->same('each port has one worker, another each', [[1, 1, 1], self::WORKERS], [array_map(count(...), $pids), count(array_unique(array_merge(...$pids)))]);
        [$status, $output] = Application::run(['scale', '2', $app->folder]);
        $this->check('fewer workers are refused: a port would have none', $status === 1 && str_contains($output, 'only_worker'), $output);

        $port = Server::freePort();
        [$status, $output] = Application::run(['nginx', $app->folder, '--workers=' . self::WORKERS, "--worker-listen=127.0.0.1:{$first}", "--port={$port}"]);
        $this->check('nginx is told of each', $status === 0 && substr_count($output, 'server 127.0.0.1:') === self::WORKERS && str_contains($output, 'least_conn'), $output);
        $nginx = External::nginx($port, $output);
        $load = new Load("tcp://127.0.0.1:{$port}", 6, '/?wait=2000');
        $load->runFor(0.3);
        posix_kill((int) current($pids[1]), SIGKILL);
        $this->check('a worker that is killed is replaced', $load->runUntil(fn (): bool => self::pids($first + 1, 1) !== $pids[1]), $load->summary());
        $bad = static fn (): int => $load->sent - ($load->statuses[200] ?? 0);
        $lost = $bad();
        $this->check('and lost what it was handling, no more', $lost <= 6, $load->summary());
        $load->runUntil(static fn (): bool => Application::run(['reload', $app->folder])[0] === 0);
        $load->runFor(0.3);
        $this->check('a reload loses nothing', $bad() === $lost, $load->summary());
        $now = array_map(fn (int $i): array => self::pids($first + $i), range(0, self::WORKERS - 1));
        $this->same('the new workers have the ports', [[1, 1, 1], []], [array_map(count(...), $now), array_values(array_intersect(array_merge(...$now), array_merge(...$pids)))]);
        unset($nginx);
        $app->stop();
    }

    public function testPathsOfWorkers(): void
    {
        $app = self::$app;
        $path = "{$app->folder}/worker";
        $this->check('it is served on paths', $app->serve(['--workers=' . self::WORKERS, "--worker-listen=unix:{$path}", '--server={"unix_socket_mode":"0666"}']), $app->output());
        $port = Server::freePort();
        [, $output] = Application::run(['nginx', $app->folder, '--workers=' . self::WORKERS, "--worker-listen=unix:{$path}", "--port={$port}"]);
        $nginx = External::nginx($port, $output);
        $this->same('nginx spreads requests over all', self::WORKERS, count(self::pids($port, 30)));
        unset($nginx);
        $app->stop();
        $this->same('the paths are removed', [], glob("{$path}.*"));
    }

    public function testPickedPort(): void
    {
        [$status, $output] = Application::run(['nginx', self::$app->folder, '--worker-listen=127.0.0.1:0']);
        $this->check('nginx cannot know a port that is picked', $status === 1 && str_contains($output, '--worker-listen a number'), $output);
    }

    /** The first of as many free ports as there are workers. */
    private static function freePorts(): int
    {
        for (;;) {
            $first = Server::freePort();
            $free = array_filter(range(0, self::WORKERS - 1), static fn (int $i): bool => ($socket = @stream_socket_server('tcp://127.0.0.1:' . $first + $i)) !== false && fclose($socket));
            if (count($free) === self::WORKERS) {
                return $first;
            }
        }
    }

    /** @return array<string, string> the processes that have responded */
    private static function pids(int $port, int $requests = 10): array
    {
        $pids = [];
        for ($i = 0; $i < $requests; $i++) {
            $peer = new Peer("tcp://127.0.0.1:{$port}");
            $peer->send(["GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]);
            $pid = Answer::all($peer->readToEnd(10.0), ['GET'])[0]->body ?? '';
            $pids[$pid] = $pid;
        }
        return $pids;
    }
}
