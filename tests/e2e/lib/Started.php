<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** The programs that the tests have started, in their order, so that none outlives its test when something still refers to it. */
final class Started
{
    /** @var array<int, \WeakReference<Stoppable>> */
    private static array $programs = [];
    private static int $count = 0;

    public static function add(Stoppable $program): void
    {
        self::$programs[self::$count++] = \WeakReference::create($program);
    }

    /** How many there have been. */
    public static function count(): int
    {
        return self::$count;
    }

    /** Ends those that were started after the first $count, the last one first. Each is ended, whatever comes of the others. */
    public static function endAfter(int $count): void
    {
        $failure = null;
        for ($i = self::$count - 1; $i >= $count; $i--) {
            $program = (self::$programs[$i] ?? null)?->get();
            unset(self::$programs[$i]);
            try {
                $program?->end();
            } catch (\Throwable $failure) {
            }
        }
        if ($failure !== null) {
            throw $failure;
        }
    }
}
