<?php

declare(strict_types=1);

namespace Stampede\Tests\Runner;

use PHPUnit\Framework\TestCase;
use Stampede\Runner\ApplicationPool;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** Applications that a peak of requests has needed are let go after it, but not those that requests go on needing. */
final class ApplicationPoolTest extends TestCase
{
    private const AFTER = 5; // milliseconds

    public function testAPeakIsForgotten(): void
    {
        Coroutine\run(function (): void {
            $gone = new Channel(10);
            $idle = new ApplicationPool(static fn (string $name): bool => $gone->push($name), ['first'], self::AFTER);
            self::assertSame(['first', null], [$idle->take(), $idle->take()]);
            foreach (['first', 'second', 'third'] as $name) {
                $idle->give($name);
            }
            self::assertSame(['first', 'second'], [$gone->pop(5), $gone->pop(5)], 'The last one used is kept.');
            self::assertSame(['third'], $idle->all());
        });
    }

    public function testWhatIsNeededStays(): void
    {
        Coroutine\run(function (): void {
            $gone = new Channel(10);
            $idle = new ApplicationPool(static fn (string $name): bool => $gone->push($name), ['first', 'second', 'third', 'fourth'], self::AFTER);
            $until = microtime(true) + 20 * self::AFTER / 1000;
            while (microtime(true) < $until) {
                [$one, $other] = [$idle->take(), $idle->take()];
                Coroutine::sleep(0.001);
                $idle->give($other);
                $idle->give($one);
            }
            self::assertSame(1, $gone->length(), 'Two were in use at once all the time, and one is in reserve.');
            self::assertSame('first', $gone->pop(5));
            self::assertSame(['second', 'third'], [$gone->pop(5), $gone->pop(5)], 'Now none is in use.');
        });
    }

    public function testNoMoreThanSixtyFour(): void
    {
        Coroutine\run(function (): void {
            $gone = new Channel(100);
            $idle = new ApplicationPool(static fn (int $number): bool => $gone->push($number), [], self::AFTER);
            array_map($idle->give(...), range(1, 66));
            self::assertSame([65, 66], [$gone->pop(5), $gone->pop(5)]);
            for ($number = 1; $number < 64; $number++) {
                self::assertSame($number, $gone->pop(5));
            }
        });
    }
}
