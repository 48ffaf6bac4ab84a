<?php

declare(strict_types=1);

/* The command stops a server without losing a request, after a drain in which it is served as before. */

namespace Stampede\Tests\E2e;

final class launcher_stop_test extends EndToEndTest
{
    public function testClientsThatComeAllTheTimeLoseNothing(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php usleep(random_int(0, 8000)); echo "served";');
        foreach (['process', 'sequential', 'coroutine'] as $isolation) {
            $visitors = new Visitors($app->port);
            for ($i = 0; $i < 2; $i++) {
                $app->start(["--isolation={$isolation}", '--env=prod', '--drain=0.2']);
                $enough = $visitors->served + 40;
                $this->assertTrue($visitors->until(20.0, static fn (): bool => $visitors->served >= $enough), "{$isolation} serves");
                posix_kill($app->pid(), SIGTERM);
                $this->assertTrue($visitors->until(20.0, static fn (): bool => !$app->alive()), "{$isolation} ends");
                $app->stop();
            }
            $visitors->finish();
            $this->check("{$isolation}: no client loses anything, {$visitors->served} served", $visitors->lost === [], count($visitors->lost) . ': ' . implode(', ', array_slice($visitors->lost, 0, 3)));
        }
    }

    public function testADrainIsSeenAndCanBeCutShort(): void
    {
        $app = new Application('plain');
        $this->assertTrue($app->serve(['--env=prod', '--drain=60']));
        $state = static fn (): string => json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['state'] ?? '';
        $this->same('a server that serves says so', 'serving', $state());
        posix_kill($app->pid(), SIGTERM);
        $this->check('one that drains, too', Server::until(5.0, static fn (): bool => $state() === 'draining'), $state());
        $this->same('and serves as before', 200, $app->ask('/')[0]);
        posix_kill($app->pid(), SIGTERM);
        $this->check('a second signal ends the drain', Server::until(10.0, static fn (): bool => !$app->alive()));
    }

    public function testTheCommandWaitsForWhatIsUnderWay(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php touch(__DIR__ . "/../begun"); sleep(5); echo "late";');
        $this->assertTrue($app->serve(['--env=prod', '--drain=0']));
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->assertTrue(Server::until(5.0, static fn (): bool => file_exists("{$app->folder}/begun")));
        $this->same('stop ends well', 0, Application::run(['stop', $app->folder])[0]);
        $this->check('the request has got its response', str_ends_with($peer->readToEnd(2.0), 'late'), $peer->received());
    }
}
