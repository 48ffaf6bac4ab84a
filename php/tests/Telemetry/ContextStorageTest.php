<?php

declare(strict_types=1);

namespace Stampede\Tests\Telemetry;

use Fiber;
use OpenTelemetry\Context\Context;
use OpenTelemetry\Context\ContextKeyInterface;
use OpenTelemetry\Context\ScopeInterface;
use PHPUnit\Framework\TestCase;
use Stampede\Telemetry\Instrumentation;
use Swoole\Coroutine;

final class ContextStorageTest extends TestCase
{
    private ContextKeyInterface $key;

    protected function setUp(): void
    {
        self::assertTrue(Instrumentation::isAvailable());
        Instrumentation::keepContexts();
        $this->key = Context::createKey('key');
    }

    private function attach(string $value): ScopeInterface
    {
        return Context::getCurrent()->with($this->key, $value)->activate();
    }

    private function value(): mixed
    {
        return Context::getCurrent()->get($this->key);
    }

    public function testACoroutineBeginsWithTheContextOfItsCreator(): void
    {
        $seen = [];
        Coroutine\run(function () use (&$seen): void {
            for ($i = 0; $i < 5; $i++) {
                Coroutine::create(function () use ($i, &$seen): void {
                    $scope = $this->attach("parent {$i}");
                    Coroutine::create(function () use ($i, &$seen): void {
                        Coroutine::sleep(0.002 * (5 - $i));
                        $seen[] = [$i, $this->value(), Context::storage()->scope() === null];
                        $own = $this->attach("child {$i}");
                        Coroutine::sleep(0.001);
                        $seen[] = [$i, $this->value(), $own->detach()];
                        $seen[] = [$i, $this->value(), Context::storage()->scope() === null];
                    });
                    Coroutine::sleep(0.001);
                    $seen[] = [$i, $this->value(), $scope->detach()];
                    $seen[] = [$i, $this->value(), null];
                });
            }
        });
        foreach (range(0, 4) as $i) {
            $of = array_map(static fn (array $each): array => [$each[1], $each[2]], array_values(array_filter($seen, static fn (array $each): bool => $each[0] === $i)));
            self::assertSame([["parent {$i}", 0], [null, null], ["parent {$i}", true], ["child {$i}", 0], ["parent {$i}", true]], $of);
        }
    }

    public function testScopesThatAreDetachedInAnotherOrder(): void
    {
        Coroutine\run(function (): void {
            [$first, $second, $third] = [$this->attach('1'), $this->attach('2'), $this->attach('3')];
            self::assertSame(ScopeInterface::MISMATCH | 1, @$second->detach());
            self::assertSame('3', $this->value());
            self::assertSame(0, $third->detach());
            self::assertSame('1', $this->value());
            self::assertSame(ScopeInterface::DETACHED, @$third->detach() & ScopeInterface::DETACHED);
            self::assertSame(0, $first->detach());
            self::assertNull($this->value());
        });
    }

    public function testAScopeThatAnotherCoroutineDetaches(): void
    {
        Coroutine\run(function (): void {
            $scope = $this->attach('creator');
            Coroutine::create(function () use ($scope): void {
                $own = $this->attach('own');
                self::assertNotSame(0, @$scope->detach() & ScopeInterface::INACTIVE);
                self::assertSame('own', $this->value());
                $own->detach();
            });
            self::assertNull($this->value());
        });
    }

    public function testFibersOfPhpInACoroutine(): void
    {
        Coroutine\run(function (): void {
            $scope = $this->attach('coroutine');
            $fiber = new Fiber(function (): void {
                self::assertSame('coroutine', $this->value());
                $own = $this->attach('fiber');
                Fiber::suspend();
                self::assertSame('fiber', $this->value());
                $own->detach();
                self::assertSame('coroutine', $this->value());
            });
            $fiber->start();
            self::assertSame('coroutine', $this->value());
            $fiber->resume();
            $scope->detach();
            self::assertTrue($fiber->isTerminated());
        });
    }
}
