<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Revolt\EventLoop\CallbackType;
use Revolt\EventLoop\Driver;
use Revolt\EventLoop\Driver\StreamSelectDriver;
use Revolt\EventLoop\InvalidCallbackError;
use Revolt\EventLoop\UncaughtThrowable;
use Revolt\EventLoop\UnsupportedFeatureException;
use Stampede\Loop\RevoltDriver;

/** The contract of Revolt's drivers: every test runs with the driver that the package brings, too. */
final class RevoltDriverTest extends TestCase
{
    /** @return iterable<string, array{\Closure(): Driver}> */
    public static function drivers(): iterable
    {
        yield 'Stampede' => [static fn (): Driver => new RevoltDriver()];
        yield 'stream_select' => [static fn (): Driver => new StreamSelectDriver()];
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testQueuedComesBeforeDeferredAndTimers(\Closure $make): void
    {
        $loop = $make();
        $order = [];
        $loop->delay(0.02, function () use (&$order): void { $order[] = 'late'; });
        $loop->delay(0.001, function () use (&$order): void { $order[] = 'early'; });
        $loop->defer(function () use (&$order): void { $order[] = 'deferred'; });
        $loop->queue(function (string $what) use (&$order): void { $order[] = $what; }, 'queued');
        $loop->run();
        self::assertSame(['queued', 'deferred', 'early', 'late'], $order);
        self::assertSame([], $loop->getIdentifiers());
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testWhatACallbackQueuesRunsBeforeTheNextCallback(\Closure $make): void
    {
        $loop = $make();
        $order = [];
        $loop->defer(function () use ($loop, &$order): void {
            $order[] = 1;
            $loop->queue(function () use (&$order): void { $order[] = 2; });
        });
        $loop->defer(function () use (&$order): void { $order[] = 3; });
        $loop->run();
        self::assertSame([1, 2, 3], $order);
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testARepeatedCallbackRunsUntilItIsCancelled(\Closure $make): void
    {
        $loop = $make();
        $count = 0;
        $loop->repeat(0.001, function (string $id) use ($loop, &$count): void {
            if (++$count === 5) {
                $loop->cancel($id);
            }
        });
        $loop->run();
        self::assertSame(5, $count);
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testUnreferencedCallbacksRunButKeepNothingGoing(\Closure $make): void
    {
        $loop = $make();
        $ticks = 0;
        $id = $loop->unreference($loop->repeat(0.001, function () use (&$ticks): void { $ticks++; }));
        [$left] = self::pair();
        $loop->unreference($loop->onReadable($left, fn () => null));
        $loop->unreference($loop->onSignal(\SIGUSR2, fn () => null));
        self::assertFalse($loop->isReferenced($id));
        $loop->delay(0.05, fn () => null);
        $loop->run();
        self::assertGreaterThan(1, $ticks);
        $loop->reference($id);
        self::assertTrue($loop->isReferenced($id));
        $loop->delay(0.01, fn () => $loop->stop());
        $loop->run();
        foreach ($loop->getIdentifiers() as $left) {
            $loop->cancel($left);
        }
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testStreams(\Closure $make): void
    {
        $loop = $make();
        [$left, $right] = self::pair();
        $received = '';
        $loop->onReadable($left, function (string $id, $stream) use ($loop, &$received): void {
            $received .= fread($stream, 3);
            if (\strlen($received) === 8) {
                $loop->cancel($id);
            }
        });
        $loop->onWritable($right, function (string $id, $stream) use ($loop): void {
            fwrite($stream, 'in parts');
            $loop->cancel($id);
        });
        $loop->run();
        self::assertSame('in parts', $received);
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testSeveralCallbacksOfOneStreamAndDisabling(\Closure $make): void
    {
        $loop = $make();
        [$left, $right] = self::pair();
        fwrite($right, 'x');
        $calls = ['one' => 0, 'two' => 0, 'off' => 0];
        $one = $loop->onReadable($left, function () use (&$calls): void { $calls['one']++; });
        $two = $loop->onReadable($left, function () use (&$calls): void { $calls['two']++; });
        $off = $loop->onReadable($left, function () use (&$calls): void { $calls['off']++; });
        $loop->disable($off);
        self::assertFalse($loop->isEnabled($off));
        $loop->delay(0.02, function () use ($loop, $one, $two): void {
            $loop->cancel($one);
            $loop->cancel($two);
        });
        $loop->run();
        self::assertGreaterThan(0, $calls['one']);
        self::assertGreaterThan(0, $calls['two']);
        self::assertSame(0, $calls['off']);
        $loop->enable($off);
        $loop->delay(0.01, fn () => $loop->cancel($off));
        $loop->run();
        self::assertGreaterThan(0, $calls['off']);
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testAStreamThatIsClosedFirstAndCancelledThen(\Closure $make): void
    {
        $loop = $make();
        for ($round = 0; $round < 3; $round++) {
            [$left, $right] = self::pair();
            $read = false;
            $loop->onReadable($left, function (string $id, $stream) use ($loop, &$read): void {
                $read = fread($stream, 10);
                fclose($stream);
                $loop->cancel($id);
            });
            fwrite($right, 'again');
            $loop->run();
            self::assertSame('again', $read);
        }
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testSignals(\Closure $make): void
    {
        $loop = $make();
        $seen = [];
        $loop->onSignal(\SIGUSR1, function (string $id, int $signal) use ($loop, &$seen): void {
            $seen[] = $signal;
            if (\count($seen) === 3) {
                $loop->cancel($id);
            } else {
                posix_kill(getmypid(), \SIGUSR1);
            }
        });
        $loop->delay(0.001, function (): void { posix_kill(getmypid(), \SIGUSR1); });
        $loop->run();
        self::assertSame([\SIGUSR1, \SIGUSR1, \SIGUSR1], $seen);
    }

    public function testASignalThatCannotBeCaught(): void
    {
        $this->expectException(UnsupportedFeatureException::class);
        (new RevoltDriver())->onSignal(\SIGKILL, fn () => null);
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testIdentifiers(\Closure $make): void
    {
        $loop = $make();
        $types = [
            $loop->defer(fn () => null) => CallbackType::Defer,
            $loop->delay(1, fn () => null) => CallbackType::Delay,
            $loop->repeat(1, fn () => null) => CallbackType::Repeat,
        ];
        foreach ($types as $id => $type) {
            self::assertSame($type, $loop->getType((string) $id));
            self::assertTrue($loop->isEnabled((string) $id));
            $loop->cancel((string) $id);
            $loop->cancel((string) $id);
        }
        $this->expectException(InvalidCallbackError::class);
        $loop->enable((string) array_key_first($types));
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testErrorsGoToTheHandlerOrOutOfRun(\Closure $make): void
    {
        $loop = $make();
        $seen = null;
        $loop->setErrorHandler(function (\Throwable $error) use (&$seen): void { $seen = $error; });
        $loop->defer(fn () => throw new \RuntimeException('handled'));
        $loop->run();
        self::assertSame('handled', $seen?->getMessage());
        $loop->defer(fn (): int => 1);
        $loop->run();
        self::assertInstanceOf(InvalidCallbackError::class, $seen);
        $loop->setErrorHandler(null);
        $loop->defer(fn () => throw new \RuntimeException('not handled'));
        $this->expectException(UncaughtThrowable::class);
        $loop->run();
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testSuspensionOutsideOfFibers(\Closure $make): void
    {
        $loop = $make();
        $suspension = $loop->getSuspension();
        self::assertSame($suspension, $loop->getSuspension());
        $loop->delay(0.005, fn () => $suspension->resume('value'));
        self::assertSame('value', $suspension->suspend());
        $loop->delay(0.005, fn () => $suspension->throw(new \LogicException('thrown')));
        try {
            $suspension->suspend();
            self::fail('nothing was thrown');
        } catch (\LogicException $error) {
            self::assertSame('thrown', $error->getMessage());
        }
        $this->expectException(\Error::class);
        $suspension->suspend();
    }

    /** @param \Closure(): Driver $make */
    #[DataProvider('drivers')]
    public function testSuspensionInAFiber(\Closure $make): void
    {
        $loop = $make();
        $result = null;
        $fiber = new \Fiber(function () use ($loop, &$result): void {
            $suspension = $loop->getSuspension();
            $loop->delay(0.005, fn () => $suspension->resume('to the fiber'));
            $result = $suspension->suspend();
        });
        $fiber->start();
        $loop->run();
        self::assertSame('to the fiber', $result);
    }

    public function testOnlyTheCoroutineThatSuspendsWaits(): void
    {
        $order = [];
        \Swoole\Coroutine\run(function () use (&$order): void {
            $loop = new RevoltDriver();
            for ($i = 0; $i < 10; $i++) {
                go(function () use ($loop, $i, &$order): void {
                    $suspension = $loop->getSuspension();
                    $loop->delay(0.02, fn () => $suspension->resume($i));
                    $order[] = 'suspended';
                    $order[] = $suspension->suspend();
                });
            }
            go(function () use (&$order): void {
                \Swoole\Coroutine::sleep(0.001);
                $order[] = 'native';
            });
        });
        self::assertSame([...array_fill(0, 10, 'suspended'), 'native', ...range(0, 9)], $order);
    }

    public function testCallbacksMayWaitAsCoroutines(): void
    {
        $order = [];
        \Swoole\Coroutine\run(function () use (&$order): void {
            $loop = new RevoltDriver();
            $loop->defer(function () use (&$order): void {
                \Swoole\Coroutine::sleep(0.02);
                $order[] = 'waited';
            });
            $loop->queue(function () use (&$order): void {
                \Swoole\Coroutine::sleep(0.01);
                $order[] = 'queued, waited';
            });
            $loop->queue(function () use (&$order): void { $order[] = 'queued behind'; });
            $loop->delay(0.001, function () use (&$order): void { $order[] = 'timer'; });
            $loop->run();
            $order[] = 'run() ended';
        });
        self::assertSame(['queued behind', 'timer', 'queued, waited', 'waited'], array_values(array_diff($order, ['run() ended'])));
    }

    public function testACancelledCoroutineLeavesItsSuspension(): void
    {
        $caught = null;
        \Swoole\Coroutine\run(function () use (&$caught): void {
            $loop = new RevoltDriver();
            $cid = go(function () use ($loop, &$caught): void {
                try {
                    $loop->getSuspension()->suspend();
                } catch (\Swoole\Coroutine\CanceledException $caught) {
                }
            });
            self::assertTrue(\Swoole\Coroutine::cancel((int) $cid));
        });
        self::assertInstanceOf(\Swoole\Coroutine\CanceledException::class, $caught);
    }

    /** @return array{resource, resource} */
    private static function pair(): array
    {
        $pair = stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0);
        self::assertNotFalse($pair);
        stream_set_blocking($pair[0], false);
        stream_set_read_buffer($pair[0], 0);
        stream_set_blocking($pair[1], false);
        return [$pair[0], $pair[1]];
    }
}
