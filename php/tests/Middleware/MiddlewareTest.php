<?php

declare(strict_types=1);

namespace Stampede\Tests\Middleware;

use PHPUnit\Framework\TestCase;
use Stampede\Application\IsolationMode;
use Stampede\Application\Route;
use Stampede\Application\RouteTable;
use Stampede\Config\ConfigurationLoader;
use Stampede\Log\FailureLog;
use Stampede\Middleware\AbandonedRequests;
use Stampede\Middleware\AllowedHosts;
use Stampede\Middleware\Concurrency;
use Stampede\Middleware\ConcurrencyLimits;
use Stampede\Middleware\ErrorPages;
use Stampede\Middleware\ErrorResponder;
use Stampede\Middleware\Exchange;
use Stampede\Middleware\HostFilter;
use Stampede\Middleware\InputFilter;
use Stampede\Middleware\MemoryLimit;
use Stampede\Middleware\PathFilter;
use Stampede\Middleware\RequestHandler;
use Stampede\Middleware\Routing;
use Stampede\Middleware\StrictTransport;
use Stampede\Middleware\Timeout;
use Stampede\Middleware\WorkerReplacement;
use Stampede\Runner\InMemoryRequest;
use Stampede\Tests\Log\RecordedLogger;
use Swoole\Coroutine;

/** Each middleware alone, between a request and a handler of the test. */
final class MiddlewareTest extends TestCase
{
    private RecordedLogger $logger;
    private FailureLog $failures;

    protected function setUp(): void
    {
        $this->logger = new RecordedLogger();
        $this->failures = new FailureLog($this->logger);
    }

    public function testAPathAboveTheRootIsRefusedAndOthersAreNormalised(): void
    {
        $next = new CallbackHandler();
        $filter = new PathFilter($next);
        $filter->handle($bad = self::exchange('/a/../../etc/passwd'));
        self::assertSame([400, 0], [self::response($bad)->code, $next->calls]);
        $filter->handle($good = self::exchange('/a//b'));
        self::assertSame(['/a/b', 1], [$good->path, $next->calls]);
    }

    public function testInDevelopmentAForeignHostIsRefused(): void
    {
        $hosts = AllowedHosts::of(ConfigurationLoader::load([], [], '/nowhere'));
        self::assertNotNull($hosts);
        $filter = new HostFilter($next = new CallbackHandler(), $hosts);
        $filter->handle($foreign = self::exchange('/', ['host' => 'evil.example']));
        $filter->handle(self::exchange('/', ['host' => 'localhost:8000']));
        self::assertSame([403, 1], [self::response($foreign)->code, $next->calls]);
        self::assertNull(AllowedHosts::of(ConfigurationLoader::load(['env' => 'prod'], [], '/nowhere')), 'In production every host is served.');
    }

    public function testStrictTransportIsToldOverTlsAlone(): void
    {
        $field = new StrictTransport(new CallbackHandler(), 'max-age=60');
        $field->handle($plain = self::exchange('/'));
        $secure = self::exchange('/');
        $secure->request->server['https'] = 'on';
        $field->handle($secure);
        self::assertSame([[], ['Strict-Transport-Security' => 'max-age=60']], [self::response($plain)->fields, self::response($secure)->fields]);
    }

    public function testCookiesAreAsPhpHasThem(): void
    {
        (new InputFilter(new CallbackHandler(), $this->failures))->handle($exchange = self::exchange('/', ['cookie' => 'a[b]=1+1; c.d=%41']));
        self::assertSame(['a' => ['b' => '1+1'], 'c_d' => 'A'], $exchange->request->cookie);
    }

    public function testARouteIsFoundByThePath(): void
    {
        $routes = RouteTable::read(['/slow/**' => ['request-timeout' => 300]], IsolationMode::Sequential, 60.0);
        $routing = new Routing(new CallbackHandler(), $routes);
        foreach (['/slow/report' => 300.0, '/quick' => 60.0] as $path => $timeout) {
            $exchange = self::exchange($path);
            $exchange->path = $path;
            $routing->handle($exchange);
            self::assertSame($timeout, $exchange->route->timeout);
        }
    }

    public function testSoManyRequestsOfAnIsolationAreHandledAtOnce(): void
    {
        $most = 0;
        Coroutine\run(function () use (&$most): void {
            $now = 0;
            $limits = new ConcurrencyLimits([IsolationMode::Sequential], static fn (): int => 2);
            $concurrency = new Concurrency(new CallbackHandler(static function () use (&$now, &$most): void {
                $most = max($most, ++$now);
                Coroutine::sleep(0.001);
                $now--;
            }), $limits);
            for ($i = 0; $i < 10; $i++) {
                Coroutine::create(static fn () => $concurrency->handle(self::routed(IsolationMode::Sequential)));
            }
        });
        self::assertSame(2, $most);
    }

    public function testWaitingRequestsAreRefusedWhenNoSlotComesFree(): void
    {
        $codes = [];
        Coroutine\run(function () use (&$codes): void {
            $limits = new ConcurrencyLimits([IsolationMode::Process], static fn (): int => 1);
            $concurrency = new Concurrency(new CallbackHandler(static function () use ($limits): void {
                $limits->of(IsolationMode::Process)?->close();
            }), $limits);
            $concurrency->handle($first = self::routed(IsolationMode::Process));
            $concurrency->handle($second = self::routed(IsolationMode::Process));
            $codes = [self::response($first)->code, self::response($second)->code];
        });
        self::assertSame([200, 503], $codes);
    }

    public function testWhatTheApplicationThrowsIsAPageAndALineOfTheLog(): void
    {
        $pages = new ErrorPages(new CallbackHandler(static fn () => throw new \DomainException('the reason')), new ErrorResponder($this->failures, false));
        self::inCoroutine($pages, $exchange = self::exchange('/page'));
        self::assertSame([500, 500, true], [$exchange->status, self::response($exchange)->code, self::response($exchange)->hasEnded]);
        self::assertStringNotContainsString('the reason', self::response($exchange)->body, 'In production the page does not say it.');
        self::assertStringStartsWith('error: GET /page: DomainException: the reason', $this->logger->messages[0]);
    }

    public function testInDevelopmentThePageSaysTheReason(): void
    {
        $pages = new ErrorPages(new CallbackHandler(static fn () => throw new \DomainException('the <reason>')), new ErrorResponder($this->failures, true));
        self::inCoroutine($pages, $exchange = self::exchange('/page'));
        self::assertStringContainsString('the &lt;reason&gt;', self::response($exchange)->body);
    }

    public function testAResponseOfWhichAPartWasSentIsCut(): void
    {
        $handler = new CallbackHandler(static function (Exchange $exchange): void {
            $exchange->response->write('a part');
            throw new \DomainException();
        });
        self::inCoroutine(new ErrorPages($handler, new ErrorResponder($this->failures, false)), $exchange = self::exchange('/'));
        self::assertTrue(self::response($exchange)->isClosed);
        self::assertSame('a part', self::response($exchange)->body);
    }

    public function testARequestThatIsLeftOpenIsEnded(): void
    {
        (new ErrorPages(new CallbackHandler(), new ErrorResponder($this->failures, false)))->handle($exchange = self::exchange('/'));
        self::assertSame([true, 200, []], [self::response($exchange)->hasEnded, $exchange->status, $this->logger->messages]);
    }

    public function testARequestWhoseTimeIsOverIs504(): void
    {
        $thrown = null;
        Coroutine\run(function () use (&$thrown, &$exchange): void {
            $errors = new ErrorResponder($this->failures, false);
            $replacement = new WorkerReplacement(static fn () => self::fail('The worker need not be replaced.'));
            $waits = new CallbackHandler(static function () use (&$thrown): void {
                try {
                    Coroutine::sleep(20);
                } catch (\Throwable $thrown) {
                }
            });
            $timeout = new Timeout($waits, $errors, ConcurrencyLimits::none(), $replacement, $this->logger);
            $exchange = self::exchange('/slow');
            $exchange->route = new Route('**', IsolationMode::Sequential, 0.05);
            $timeout->handle($exchange);
        });
        self::assertSame([504, 504], [$exchange->status, self::response($exchange)->code]);
        self::assertStringContainsString('time limit of 0.05 seconds', implode($this->logger->messages));
    }

    public function testARequestWithoutALimitHasNoTimer(): void
    {
        $timeout = new Timeout(new CallbackHandler(), new ErrorResponder($this->failures, false), ConcurrencyLimits::none(), new WorkerReplacement(static fn () => null), $this->logger);
        $timeout->handle($exchange = self::routed(IsolationMode::Sequential));
        self::assertSame([null, false], [$exchange->limit, $exchange->isOverdue()]);
    }

    public function testAWorkerThatHasGrownIsReplacedOnce(): void
    {
        $replaced = 0;
        $replacement = new WorkerReplacement(static function () use (&$replaced): void {
            $replaced++;
        });
        $limit = MemoryLimit::around($next = new CallbackHandler(), $replacement, 1);
        $limit->handle(self::exchange('/'));
        $limit->handle(self::exchange('/'));
        self::assertSame([1, 2], [$replaced, $next->calls]);
    }

    public function testWhatNoClientWaitsForIsNotHandled(): void
    {
        $exchange = self::exchange('/');
        self::response($exchange)->isClosed = true;
        (new AbandonedRequests($next = new CallbackHandler()))->handle($exchange);
        self::assertSame(0, $next->calls);
    }

    /** As requests are handled: what it does to PHP's error handler is gone after it. */
    private static function inCoroutine(RequestHandler $handler, Exchange $exchange): void
    {
        Coroutine\run(static fn () => $handler->handle($exchange));
    }

    /** @param array<string, string> $fields of the header */
    private static function exchange(string $path, array $fields = []): Exchange
    {
        $request = InMemoryRequest::get($path, 'a test');
        $request->header = $fields + (array) $request->header;
        return new Exchange($request, new RecordedResponse(), new Route('**', IsolationMode::Sequential, 0.0));
    }

    private static function routed(IsolationMode $isolation): Exchange
    {
        $exchange = self::exchange('/');
        $exchange->route = new Route('**', $isolation, 0.0);
        return $exchange;
    }

    private static function response(Exchange $exchange): RecordedResponse
    {
        self::assertInstanceOf(RecordedResponse::class, $exchange->response);
        return $exchange->response;
    }
}
