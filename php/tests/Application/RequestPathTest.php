<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Application\RequestPath;

final class RequestPathTest extends TestCase
{
    #[DataProvider('paths')]
    public function testOneNormalisedPath(string $decoded, ?string $path): void
    {
        self::assertSame($path, RequestPath::of($decoded));
    }

    /** @return list<array{string, string|null}> */
    public static function paths(): array
    {
        return [
            ['/', '/'], ['', '/'], ['*', '/'], ['/a/b', '/a/b'], ['/a/b/', '/a/b/'], ['/style.css', '/style.css'], ['/.env', '/.env'],
            ['//a///b//', '/a/b/'], ['/a/./b', '/a/b'], ['/a/../b', '/b'], ['/a/..', '/'], ['/a/b/..', '/a/'], ['/a/.', '/a/'], ['/a/...', '/a/...'], ['/a/..b', '/a/..b'],
            ['/x.php/../../', null], ['/a/x.php/../../', '/'], ['/a%2fb', '/a%2fb'], ['/a%2f..%2fb', '/a%2f..%2fb'], ['/%2e%2e/x', '/%2e%2e/x'],
            ['/..', null], ['/../', null], ['/a/../../b', null], ["/a\0", null], ['/a+b%20c', '/a+b%20c'], ['/%zz', '/%zz'], ['/a\\..\\b', '/a\\..\\b'],
        ];
    }

    #[DataProvider('addresses')]
    public function testAddresses(string $path, string $address): void
    {
        self::assertSame($address, RequestPath::encoded($path));
    }

    /** @return list<array{string, string}> */
    public static function addresses(): array
    {
        return [['/a/b', '/a/b'], ['/\\evil.test/x', '/%5Cevil.test/x'], ["/\t/evil.test", '/%09/evil.test'], ['/a?b#c', '/a%3Fb%23c'], ["/\xff\r\n", '/%FF%0D%0A'], ['/ä', '/%C3%A4']];
    }
}
