<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

use PHPUnit\Framework\TestCase;

/**
 * A program of this folder. Each test is one section: its checks are printed as they come, one that fails lets the section go on, and the
 * section fails at its end. What is started in a test ends with it, what is started in setUpBeforeClass() with the class.
 */
abstract class EndToEndTest extends TestCase
{
    private static ?Report $report = null;

    /** @var list<string> checks of this section that failed */
    private array $failures = [];
    private int $startedBefore = 0;

    /** The checks of all sections. */
    final public static function report(): Report
    {
        return self::$report ??= new Report(STDOUT);
    }

    /** True when it holds. Otherwise $seen is printed with it, and the test fails at its end. */
    final public function check(string $name, bool $ok, string $seen = ''): bool
    {
        self::report()->check($name, $ok, $seen);
        $this->addToAssertionCount(1);
        if (!$ok) {
            $this->failures[] = $seen === '' ? $name : "$name: " . Report::printable($seen);
        }
        return $ok;
    }

    final public function same(string $name, mixed $expected, mixed $actual): bool
    {
        return $this->check($name, $expected === $actual, Report::difference($expected, $actual));
    }

    /** A line for the reader that is no check. */
    final public function remark(string $text): void
    {
        self::report()->remark($text);
    }

    public static function tearDownAfterClass(): void
    {
        Started::endAfter(0);
    }

    protected function setUp(): void
    {
        $this->startedBefore = Started::count();
    }

    protected function tearDown(): void
    {
        Started::endAfter($this->startedBefore);
    }

    protected function assertPostConditions(): void
    {
        if ($this->failures !== []) {
            throw new ChecksFailed(count($this->failures) . " checks failed:\n" . implode("\n", $this->failures));
        }
    }
}
