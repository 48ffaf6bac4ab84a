<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use React\ChildProcess\Process;
use React\Dns\Resolver\Factory;
use React\EventLoop\Loop;
use React\EventLoop\LoopInterface;
use React\EventLoop\StreamSelectLoop;
use React\Socket\ConnectionInterface;
use React\Socket\Connector;
use React\Socket\SocketServer;
use Stampede\Loop\ReactLoop;
use Swoole\Coroutine;

use function Swoole\Coroutine\run;

/** The contract of ReactPHP's loops, and its packages in coroutines. */
final class ReactLoopTest extends TestCase
{
    /** @return iterable<string, array{\Closure(): LoopInterface}> */
    public static function loops(): iterable
    {
        yield 'Stampede' => [static fn (): LoopInterface => new ReactLoop()];
        yield 'stream_select' => [static fn (): LoopInterface => new StreamSelectLoop()];
    }

    /** @param \Closure(): LoopInterface $make */
    #[DataProvider('loops')]
    public function testTicksAndTimers(\Closure $make): void
    {
        $loop = $make();
        $order = [];
        $loop->addTimer(0.01, function () use (&$order): void { $order[] = 'timer'; });
        $loop->futureTick(function () use ($loop, &$order): void {
            $order[] = 'tick';
            $loop->futureTick(function () use (&$order): void { $order[] = 'next tick'; });
        });
        $cancelled = $loop->addTimer(0.005, function () use (&$order): void { $order[] = 'never'; });
        $loop->cancelTimer($cancelled);
        $count = 0;
        $loop->addPeriodicTimer(0.001, function ($timer) use ($loop, &$count): void {
            if (++$count === 3) {
                $loop->cancelTimer($timer);
            }
        });
        $loop->run();
        self::assertSame(['tick', 'next tick', 'timer'], $order);
        self::assertSame(3, $count);
    }

    /** @param \Closure(): LoopInterface $make */
    #[DataProvider('loops')]
    public function testStreamsAndStop(\Closure $make): void
    {
        $loop = $make();
        [$left, $right] = self::pair();
        $received = '';
        $loop->addReadStream($left, function ($stream) use ($loop, &$received): void {
            $received .= fread($stream, 100);
            $loop->removeReadStream($stream);
            $loop->stop();
        });
        $loop->addWriteStream($right, function ($stream) use ($loop): void {
            fwrite($stream, 'written');
            $loop->removeWriteStream($stream);
        });
        $late = $loop->addTimer(100, fn () => self::fail('run() did not stop'));
        $loop->run();
        $loop->cancelTimer($late);
        self::assertSame('written', $received);
    }

    /** @param \Closure(): LoopInterface $make */
    #[DataProvider('loops')]
    public function testSignals(\Closure $make): void
    {
        $loop = $make();
        $seen = [];
        $listener = function (int $signal) use ($loop, &$seen, &$listener): void {
            $seen[] = $signal;
            $loop->removeSignal($signal, $listener);
        };
        $loop->addSignal(\SIGUSR1, $listener);
        $loop->addSignal(\SIGUSR1, $listener);
        $loop->futureTick(fn () => posix_kill((int) getmypid(), \SIGUSR1));
        $loop->run();
        self::assertSame([\SIGUSR1], $seen);
    }

    public function testSocketServerInCoroutines(): void
    {
        $answers = $native = [];
        run(function () use (&$answers, &$native): void {
            $loop = new ReactLoop();
            $server = new SocketServer('127.0.0.1:0', [], $loop);
            $server->on('connection', function (ConnectionInterface $connection): void {
                $connection->on('data', function (string $bytes) use ($connection): void {
                    Coroutine::sleep(0.005);  // waits in its own coroutine
                    $connection->end(strtoupper($bytes));
                });
            });
            $connector = new Connector([], $loop);
            for ($i = 0; $i < 20; $i++) {
                $connector->connect(str_replace('tcp://', '', (string) $server->getAddress()))
                    ->then(function (ConnectionInterface $connection) use ($i, $server, &$answers): void {
                        $connection->write("hello $i");
                        $connection->on('data', function (string $bytes) use ($server, &$answers): void {
                            $answers[] = $bytes;
                            if (\count($answers) === 20) {
                                $server->close();
                            }
                        });
                    });
            }
            go(function () use (&$native): void {
                Coroutine::sleep(0.001);
                $native[] = 'native';
            });
        });
        sort($answers);
        $expected = array_map(static fn (int $i): string => "HELLO $i", range(0, 19));
        sort($expected);
        self::assertSame($expected, $answers);
        self::assertSame(['native'], $native);
    }

    public function testDns(): void
    {
        $server = new NameServer(['name.test' => '10.9.8.7']);
        $address = '';
        run(function () use ($server, &$address): void {
            $loop = new ReactLoop();
            $resolver = (new Factory())->create($server->address(), $loop);
            $resolver->resolve('name.test')->then(function (string $found) use (&$address): void { $address = $found; });
            $loop->run();
        });
        self::assertSame('10.9.8.7', $address);
    }

    public function testChildProcess(): void
    {
        $output = '';
        $code = null;
        run(function () use (&$output, &$code): void {
            $loop = new ReactLoop();
            $process = new Process('cat; exit 4');
            $process->start($loop);
            $process->stdout?->on('data', function (string $bytes) use (&$output): void { $output .= $bytes; });
            $process->on('exit', function (?int $status) use (&$code): void { $code = $status; });
            $process->stdin?->end('through a child');
            $loop->run();
        });
        self::assertSame('through a child', $output);
        self::assertSame(4, $code);
    }

    public function testTheDefaultLoop(): void
    {
        $loop = new ReactLoop();
        Loop::set($loop);
        $called = false;
        Loop::futureTick(function () use (&$called): void { $called = true; });
        Loop::run();
        self::assertTrue($called);
    }

    /** @return array{resource, resource} */
    private static function pair(): array
    {
        $pair = stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0);
        self::assertNotFalse($pair);
        stream_set_blocking($pair[0], false);
        stream_set_blocking($pair[1], false);
        return [$pair[0], $pair[1]];
    }
}
