<?php

declare(strict_types=1);

namespace Stampede\Tests\Process;

use PHPUnit\Framework\TestCase;
use Stampede\Process\ChildConnection;
use Stampede\Process\ChildState;
use Stampede\Process\IdleChildren;
use Stampede\Process\WaitingRequests;
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;

/** Requests that wait for one of a worker's processes, and processes that wait for requests. */
final class WaitingRequestsTest extends TestCase
{
    public function testTheFirstRequestGetsTheProcess(): void
    {
        $got = [];
        Coroutine\run(static function () use (&$got): void {
            $waiting = new WaitingRequests();
            $free = [];
            foreach (['first', 'second'] as $name) {
                Coroutine::create(static function () use ($name, $waiting, &$free, &$got): void {
                    $child = $waiting->await(5, static function () use (&$free): ?int {
                        return array_pop($free);
                    });
                    $got[] = "{$name} {$child}";
                });
            }
            foreach ([7, 8] as $child) {
                $free[] = $child;
                $waiting->wakeFirst();
            }
        });
        self::assertSame(['first 7', 'second 8'], $got);
    }

    public function testARequestWaitsNoLongerThanItsTime(): void
    {
        Coroutine\run(static function (): void {
            $waiting = new WaitingRequests();
            self::assertNull($waiting->await(0.01, static fn (): ?int => null));
            $waiting->close();
            self::assertNull($waiting->await(60, static fn (): ?int => 1), 'a pool that is closed');
            self::assertSame(0, $waiting->count());
        });
    }

    public function testTheProcessThatWasLastBusyIsTheNext(): void
    {
        Coroutine\run(static function (): void {
            $gone = [];
            $idle = new IdleChildren(static function (ChildConnection $child) use (&$gone): void {
                $gone[] = $child->pid;
            });
            foreach ([1, 2, 3] as $pid) {
                $idle->add(new ChildConnection($pid, new Socket(AF_UNIX, SOCK_STREAM, 0)));
            }
            $child = $idle->take();
            self::assertSame([3, ChildState::Busy, 2], [$child?->pid, $child?->state, $idle->count()]);
            $idle->letAllGo();
            self::assertSame([[1, 2], null], [$gone, $idle->take()]);
        });
    }
}
