<?php

declare(strict_types=1);

namespace Stampede\Tests\Config;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Config\ListenAddress;
use Stampede\Exception\ConfigurationException;

final class ListenAddressTest extends TestCase
{
    #[DataProvider('addresses')]
    public function testWhatTheUserWritesIsAnAddress(string $written, string $name, string $url, bool $isLocal): void
    {
        $address = ListenAddress::parse($written);
        self::assertSame([$name, $url, $isLocal], [$address->name(), $address->url($address->port), $address->isLocal()]);
    }

    /** @return list<array{string, string, string, bool}> */
    public static function addresses(): array
    {
        return [
            ['8080', '0.0.0.0:8080', 'http://127.0.0.1:8080/', false],
            ['localhost:1', '127.0.0.1:1', 'http://127.0.0.1:1/', true],
            ['*:80', '0.0.0.0:80', 'http://127.0.0.1:80/', false],
            ['[::1]:8000', '[::1]:8000', 'http://[::1]:8000/', true],
            ['https://example.test', 'example.test:443', 'https://example.test:443/', false],
            ['http://10.0.0.1/', '10.0.0.1:80', 'http://10.0.0.1:80/', false],
            ['unix:/run/app.sock', 'unix:/run/app.sock', 'unix:/run/app.sock', true],
        ];
    }

    #[DataProvider('wrong')]
    public function testWhatIsNoAddressIsRefused(string $written): void
    {
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage("\"{$written}\" is no address to listen on");
        ListenAddress::parse($written);
    }

    /** @return list<array{string}> */
    public static function wrong(): array
    {
        return [['127.0.0.1:65536'], ['ftp://a:1'], ['a:b'], ['::1:8000'], ['http://a/b']];
    }

    public function testFurtherAddressesHaveFurtherPortsOrNumbers(): void
    {
        self::assertSame(8002, ListenAddress::parse('127.0.0.1:8000')->further(2)->port);
        self::assertSame(0, ListenAddress::parse('127.0.0.1:0')->further(2)->port);
        self::assertSame('/run/w.1', ListenAddress::parse('unix:/run/w')->further(1)->host);
        $this->expectException(ConfigurationException::class);
        ListenAddress::parse('127.0.0.1:65535')->further(1);
    }
}
