<?php

declare(strict_types=1);

namespace Stampede\Tests\Runner;

use PHPUnit\Framework\TestCase;
use Stampede\Runner\Environment;
use Stampede\Runner\ServerVariables;
use Swoole\Http\Request;

/** The array of one request is used again for the next one: nothing of the former request may be seen in it. */
final class ServerVariablesTest extends TestCase
{
    private const HEADS = [
        "GET /a?b=c HTTP/1.1\r\nHost: one:8080\r\nX-One: 1\r\n",
        "POST /d HTTP/1.0\r\nHost: two\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n",
        "GET / HTTP/1.1\r\nHost: three\r\nAuthorization: Basic bmFtZTpzZWNyZXQ=\r\nX_One: another\r\n",
        "GET / HTTP/1.1\r\nHost: three\r\nX-One: 1\r\nAuthorization: Bearer text\r\n",
        "GET / HTTP/1.1\r\nHost: four\r\nX-Of-Environment: of the request\r\nProxy: evil\r\n",
        "GET / HTTP/1.1\r\nHost: five\r\n",
    ];

    protected function setUp(): void
    {
        $_SERVER['HTTP_X_OF_ENVIRONMENT'] = 'of the environment';
    }

    protected function tearDown(): void
    {
        unset($_SERVER['HTTP_X_OF_ENVIRONMENT']);
    }

    public function testEachRequestHasItsOwn(): void
    {
        $variables = new ServerVariables('/srv/public', '/srv/public/index.php');
        for ($first = 0; $first < count(self::HEADS); $first++) {
            for ($next = 0; $next < count(self::HEADS); $next++) {
                foreach ([$first, $next] as $index) {
                    $request = self::request(self::HEADS[$index]);
                    $expected = (new ServerVariables('/srv/public', '/srv/public/index.php'))->of($request);
                    self::assertEquals($expected, $variables->of($request), "{$next} after {$first}");
                }
            }
        }
        self::assertSame('of the environment', $variables->of(self::request(self::HEADS[5]))['HTTP_X_OF_ENVIRONMENT']);
        self::assertArrayNotHasKey('HTTP_PROXY', $variables->of(self::request(self::HEADS[4])));
    }

    public function testWhatARequestStillHasOrHasChanged(): void
    {
        $variables = new ServerVariables('/srv/public', '/srv/public/index.php');
        $first = $variables->of(self::request(self::HEADS[0]));
        $kept = unserialize(serialize($first));
        $second = $variables->of(self::request(self::HEADS[1]));
        self::assertSame($kept, $first, 'the next request takes no array that is in use');
        $second['REQUEST_URI'] = '/changed';
        $uri = &$second['QUERY_STRING'];
        $uri = 'changed';
        $second['MORE'] = true;
        unset($second['HTTP_HOST'], $second['DOCUMENT_ROOT']);
        self::assertEquals($first, $variables->of(self::request(self::HEADS[0])));
    }

    public function testTheScheme(): void
    {
        $variables = new ServerVariables('/srv/public', '/srv/public/index.php');
        $request = self::request(self::HEADS[0]);
        $ofProxy = self::request(self::HEADS[0]);
        $ofProxy->server['request_scheme'] = 'https';
        foreach ([[$request, 'http', null], [$ofProxy, 'https', 'on'], [$request, 'http', null]] as [$each, $scheme, $https]) {
            $given = $variables->of($each);
            self::assertSame([$scheme, $https], [$given['REQUEST_SCHEME'], $given['HTTPS'] ?? null]);
        }
    }

    public function testTheNameOfTheSite(): void
    {
        $variables = new ServerVariables('/srv/public', '/srv/public/index.php', 'www.example.org');
        self::assertSame(['www.example.org', 'www.example.org'], array_map(static fn (string $head): string => $variables->of(self::request($head))['SERVER_NAME'], [self::HEADS[0], self::HEADS[1]]));
    }

    public function testTheEnvironmentAsBehindPhpFpm(): void
    {
        putenv('OF_TEST=1');
        $_SERVER += ['OF_TEST' => '1', 'OF_BOOT' => '1'];
        $order = (string) ini_get('variables_order');
        $variables = (new ServerVariables('/srv/public', '/srv/public/index.php', '', Environment::AsPhpFpm))->of(self::request(self::HEADS[0]));
        self::assertSame([str_contains($order, 'E'), true], [isset($variables['OF_TEST']), isset($variables['OF_BOOT'])]);
        self::assertArrayHasKey('OF_TEST', (new ServerVariables('/srv/public', '/srv/public/index.php'))->of(self::request(self::HEADS[0])));
        unset($_SERVER['OF_TEST'], $_SERVER['OF_BOOT']);
        putenv('OF_TEST');
    }

    private static function request(string $head): Request
    {
        $request = Request::create(['parse_cookie' => false]);
        self::assertInstanceOf(Request::class, $request);
        self::assertSame(strlen("{$head}\r\n"), $request->parse("{$head}\r\n"));
        $request->server = ['request_time' => 1, 'request_time_float' => 1.5, 'remote_addr' => '127.0.0.1'] + $request->server;
        return $request;
    }
}
