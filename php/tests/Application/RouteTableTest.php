<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Application\IsolationMode;
use Stampede\Application\RouteTable;
use Stampede\Exception\ConfigurationException;

final class RouteTableTest extends TestCase
{
    #[DataProvider('paths')]
    public function testTheFirstPatternThatFitsDecides(string $path, string $pattern): void
    {
        $routes = RouteTable::read(['/a/*/c' => [], '/a/**' => [], '/a*' => [], '/b**' => []], IsolationMode::Sequential, 60.0);
        self::assertSame($pattern, $routes->of($path)->pattern);
        self::assertSame($pattern, $routes->of($path)->pattern, 'as it was remembered');
    }

    /** @return list<array{string, string}> */
    public static function paths(): array
    {
        return [['/a/b/c', '/a/*/c'], ['/a/b/d', '/a/**'], ['/a', '/a/**'], ['/ab', '/a*'], ['/ab/c', '**'], ['/bc/d', '/b**'], ['/', '**']];
    }

    public function testIsolationsAndTheLongestTime(): void
    {
        $routes = RouteTable::read(['/p' => ['isolation' => 'process'], '/s' => ['request_timeout' => 90]], IsolationMode::Sequential, 60.0);
        self::assertSame([IsolationMode::Sequential, IsolationMode::Process], $routes->isolations());
        self::assertSame([90.0, false, null], [$routes->longest(), $routes->isUniform(), $routes->only()]);
        self::assertSame(0.0, RouteTable::read(['/s' => ['request-timeout' => 0]], IsolationMode::Process, 60.0)->longest(), 'One without a limit has the longest.');
    }

    /** @param array<string, mixed> $given */
    #[DataProvider('mistakes')]
    public function testAMistakeIsOneSentence(string $sentence, array $given): void
    {
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage($sentence);
        RouteTable::read($given, IsolationMode::Sequential, 60.0);
    }

    /** @return list<array{string, array<string, mixed>}> */
    public static function mistakes(): array
    {
        return [
            ['"reports" must be a path', ['reports' => []]],
            ['"/a/**/b" must be a path', ['/a/**/b' => []]],
            ['has the unknown key "isolatoin" (did you mean "isolation"?)', ['/a' => ['isolatoin' => 1]]],
            ['isolation must be one of coroutine, sequential, process', ['/a' => ['isolation' => 'thread']]],
        ];
    }
}
