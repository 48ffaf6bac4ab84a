<?php

declare(strict_types=1);

namespace Stampede\Tests\Dashboard;

use PHPUnit\Framework\TestCase;
use Stampede\Dashboard\Findings;
use Stampede\Dashboard\Numbers;

final class NumbersTest extends TestCase
{
    private const TEXT = <<<'TEXT'
        # TYPE stampede_http_requests_total counter
        stampede_http_requests_total{method="GET",status="2xx",route="/a",isolation="coroutine"} 7
        stampede_http_requests_total{method="POST",status="2xx",route="/a",isolation="coroutine"} 3
        stampede_http_requests_total{method="GET",status="5xx",route="/b \"x\"",isolation="coroutine"} 1
        stampede_http_request_duration_seconds_bucket{route="/a",le="0.1"} 10
        stampede_http_request_duration_seconds_sum{route="/a"} 0.5
        stampede_http_request_duration_seconds_count{route="/a"} 10
        stampede_http_request_duration_seconds_sum{route="/b \"x\""} 2
        stampede_http_request_duration_seconds_count{route="/b \"x\""} 20
        stampede_worker_ends_total{kind="worker",reason="signal"} 2
        stampede_worker_ends_total{kind="worker",reason="replaced"} 9
        stampede_growth_findings 4
        TEXT;

    public function testSumsAreThoseOfTheMetrics(): void
    {
        $numbers = Numbers::of(self::TEXT);
        self::assertSame(['2xx' => 10.0, '5xx' => 1.0], $numbers->statuses);
        self::assertEquals(['/b "x"' => ['seconds' => 2.0, 'count' => 20.0], '/a' => ['seconds' => 0.5, 'count' => 10.0]], $numbers->routes);
        self::assertSame('/b "x"', array_key_first($numbers->routes));
        self::assertSame(['worker_ends_total' => 2.0, 'growth_findings' => 4.0], $numbers->others);
    }

    public function testFindingsAreSentences(): void
    {
        $findings = Findings::of(
            [['kind' => 'worker', 'state' => 'serving'], ['kind' => 'worker', 'state' => 'down']],
            'a class is missing.',
            [['names' => ['a.example'], 'valid_until' => time() - 1], ['names' => ['b.example'], 'valid_until' => time() + 3 * 86_400 + 60], ['names' => ['c.example'], 'valid_until' => time() + 90 * 86_400]],
            Numbers::of(self::TEXT),
        );
        self::assertSame([
            ['level' => 'bad', 'text' => 'The newest code is not served: a class is missing.'],
            ['level' => 'bad', 'text' => 'One worker has ended, and its successor does not run yet.'],
            ['level' => 'bad', 'text' => 'The certificate of a.example has expired.'],
            ['level' => 'warn', 'text' => 'The certificate of b.example ends in 3 days.'],
            ['level' => 'warn', 'text' => '2 processes were killed or have crashed since the start.'],
            ['level' => 'warn', 'text' => '4 things grow with each request: stampede leaks names what.'],
        ], $findings);
        self::assertSame([], Findings::of([['kind' => 'worker', 'state' => 'serving']], '', [], Numbers::of('')));
    }
}
