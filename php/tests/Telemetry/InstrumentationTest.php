<?php

declare(strict_types=1);

namespace Stampede\Tests\Telemetry;

use PHPUnit\Framework\TestCase;
use Stampede\Request\RequestLifecycle;
use Stampede\Telemetry;
use Stampede\Telemetry\Instrumentation;

final class InstrumentationTest extends TestCase
{
    public function testTheApiWithoutAnSdkCostsNothing(): void
    {
        self::assertTrue(Instrumentation::begin(null, false));
        self::assertFalse(RequestLifecycle::isObserved());
        Instrumentation::finish();
    }

    public function testJobsAreDoneWithoutAnSdk(): void
    {
        self::assertSame([], Telemetry::carrier());
        self::assertSame(7, Telemetry::job('seven', ['traceparent' => 'nonsense'], static fn (): int => 7));
    }
}
