<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Application\RequestPath;

final class RequestPathTest extends TestCase
{
    #[DataProvider('paths')]
    public function testOneDecodedAndNormalisedPath(string $sent, ?string $path): void
    {
        self::assertSame($path, RequestPath::of($sent));
    }

    /** @return list<array{string, string|null}> */
    public static function paths(): array
    {
        return [
            ['/', '/'], ['', '/'], ['*', '/'], ['/a/b', '/a/b'], ['/a/b/', '/a/b/'], ['/style.css', '/style.css'], ['/.env', '/.env'],
            ['//a///b//', '/a/b/'], ['/a/./b', '/a/b'], ['/a/../b', '/b'], ['/a/..', '/'], ['/a/b/..', '/a/'], ['/a/.', '/a/'], ['/a/...', '/a/...'], ['/a/..b', '/a/..b'],
            ['/x.php/../../', null], ['/a/x.php/../../', '/'], ['/a%2fb', '/a/b'], ['/a%2f..%2fb', '/b'], ['/%2e%2e/x', null], ['/a/%2E%2E/b', '/b'],
            ['/..', null], ['/../', null], ['/a/../../b', null], ['/a%00', null], ['/%252e%252e/x', '/%2e%2e/x'], ['/a+b%20c', '/a+b c'], ['/%zz', '/%zz'], ['/a\\..\\b', '/a\\..\\b'],
        ];
    }
}
