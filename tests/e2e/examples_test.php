<?php

declare(strict_types=1);

/* The example applications, served by the command stampede as their pages say. */

namespace Stampede\Tests\E2e;

final class examples_test extends EndToEndTest
{
    public function testSmallExamples(): void
    {
        foreach ([
            'plain' => ['/anything', "Visit 1 of /anything\n"],
            'function' => ['/?name=horse', "{\"hello\":\"horse\"}\n"],
            'slim' => ['/hello/you', "Hello you\n"],
            'symfony' => ['/hello/you', '{"hello":"you"}'],
        ] as $name => [$path, $body]) {
            $app = new Application("examples/{$name}");
            $this->check("examples/{$name} is served", $app->serve(['--workers=1', '--env=prod']), $app->output());
            $this->same("examples/{$name}: a request", [200, $body], [($response = $app->ask($path))[0], $response[2]]);
            unset($app);
        }
    }

    public function testLaravel(): void
    {
        // The sample application of the tests has the framework's packages, also where not all of them can be fetched.
        $app = new Application('laravel');
        exec('cd ' . escapeshellarg($app->folder) . ' && rm -r config routes && cp -r ' . escapeshellarg(dirname(__DIR__, 2) . '/examples/laravel/bootstrap') . ' .');
        $this->check('examples/laravel is served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $this->same('examples/laravel: a request', [200, '{"hello":"you"}'], [($response = $app->ask('/hello/you'))[0], $response[2]]);
        unset($app);
    }

    public function testRealtime(): void
    {
        $app = new Application('examples/realtime');
        $this->check('examples/realtime is served', $app->serve(), $app->output());
        $this->check('its page', preg_match('~Served at \d\d:~', $app->ask('/')[2]) === 1);
        $address = "tcp://127.0.0.1:{$app->port}";
        [$one, $other] = [new WebSocketPeer($address, '/chat'), new WebSocketPeer($address, '/chat')];
        $other->send('to all');
        $this->same('its chat', ['to all', 'to all'], [$one->text(), $other->text()]);
        $clock = new Peer($address);
        $clock->send(["GET /clock HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('its clock', preg_match('/data: \d\d:\d\d:\d\d\n.*data: /s', $clock->readUntil(static fn (string $bytes): bool => substr_count($bytes, 'data: ') > 1)) === 1);
        Application::run(['reload', $app->folder]);
        $this->check('its clock ends with its worker', str_ends_with($clock->readToEnd(), "\r\n0\r\n\r\n"), $clock->received());
        $this->same('its chat, too', [8, pack('n', 1001)], [($frame = $one->frameOf())[0] ?? 0, substr($frame[1] ?? '', 0, 2)]);
        unset($app);
    }

    public function testHello(): void
    {
        $port = Server::freePort();
        $hello = new Companion([...phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')), dirname(__DIR__, 2) . '/examples/hello/server.php', '127.0.0.1', (string) $port]);
        $this->check('examples/hello says where it is', str_contains($hello->firstLine(), "http://127.0.0.1:{$port}/"), $hello->output());
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /together HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $bytes = $peer->readToEnd();
        $this->check('examples/hello: its pages', str_contains($bytes, '<h1>It runs.</h1>') && str_contains($bytes, 'three waits took'), $bytes);
        unset($hello);
    }

    public function testMakeServe(): void
    {
        $root = dirname(__DIR__, 2);
        $tree = External::folder();
        $module = realpath(getenv('MODULE') ?: "{$root}/modules/stampede.so");
        exec('cd ' . escapeshellarg($root) . " && tar -c --exclude=vendor --exclude=var php examples/product tools/serve | tar -x -C {$tree} && mkdir {$tree}/modules && cp {$module} {$tree}/modules/stampede.so");
        $port = Server::freePort();
        $served = new Companion(["{$tree}/tools/serve", '127.0.0.1', (string) $port]);
        $this->check('make serve fetches what it needs and says where it listens', Server::until(120.0, static fn (): bool => str_contains($served->output(), "Listening on http://127.0.0.1:{$port}/\n")), $served->output());
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $this->check('it serves the product', str_contains($peer->readToEnd(), '<title>Paddock</title>'));
        $second = new Companion(["{$tree}/tools/serve", '127.0.0.1', (string) $port]);
        $this->same('a used port: one sentence', [1, "Port {$port} on 127.0.0.1 cannot be used, most likely another program has it: choose one with  make serve PORT=" . ($port + 1) . "\n"], [$second->waitForEnd(20.0), $second->output()]);
        $served->signal(SIGINT);
        $this->same('Ctrl-C ends it', 0, $served->waitForEnd(20.0));
        exec("rm -rf {$tree}");
    }
}
