<?php

declare(strict_types=1);

/* A server whose handlers use AMPHP's packages beside native coroutines. argv: vendor's autoload.php, port, name server. */

use Revolt\EventLoop;
use Stampede\Loop\RevoltDriver;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

require $argv[1];

$server = new Server('127.0.0.1', (int) $argv[2]);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_ERROR]);
$pool = $resolver = $peer = null;
$server->on('workerStart', function () use (&$pool, &$resolver, &$peer, $argv): void {
    EventLoop::setDriver(new RevoltDriver());
    $pool = new Amp\Parallel\Worker\ContextWorkerPool(1);
    $config = new class ($argv[3]) implements Amp\Dns\DnsConfigLoader {
        public function __construct(private readonly string $server)
        {
        }

        public function loadConfig(): Amp\Dns\DnsConfig
        {
            return new Amp\Dns\DnsConfig([$this->server]);
        }
    };
    $resolver = new Amp\Dns\Rfc1035StubDnsResolver(null, $config);
    $peer = Amp\Socket\listen('127.0.0.1:0');
    Coroutine::create(function () use ($peer): void {
        while ($socket = $peer->accept()) {
            $socket->write('greeting');
            $socket->close();
        }
    });
});
$server->on('request', function (Request $request, Response $response) use (&$pool, &$resolver, &$peer): void {
    $number = (int) ($request->get['n'] ?? 0);
    $dns = Amp\async(fn (): string => $resolver->resolve('name.test', Amp\Dns\DnsRecord::A)[0]->getValue());
    $square = $pool->submit(new Stampede\Tests\Loop\SquareTask($number))->getFuture();
    Coroutine::sleep(0.005);
    $socket = Amp\Socket\connect($peer->getAddress()->toString());
    $greeting = Amp\ByteStream\buffer($socket);
    $response->end(json_encode([$dns->await(), $square->await(), $greeting, Coroutine::getCid() > 0]));
});
$server->start();
