<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Closure;
use Stampede\Application\IsolationMode;

use function Stampede\refuse_waiting_requests;

/** How many requests of each isolation a worker handles at once. */
final class ConcurrencyLimits
{
    /** @var array<string, ConcurrencyLimit> by isolation, where not any number is handled at once */
    private array $limits = [];

    /**
     * @param list<IsolationMode> $used
     * @param Closure(IsolationMode): int $number of requests at once, 0: any
     */
    public function __construct(array $used, Closure $number)
    {
        foreach ($used as $isolation) {
            if ($number($isolation) > 0) {
                $this->limits[$isolation->value] = new ConcurrencyLimit($number($isolation));
            }
        }
    }

    /** Where the server counts the requests of a worker. */
    public static function none(): self
    {
        return new self([], static fn (): int => 0);
    }

    /** Null: there is always room. */
    public function of(IsolationMode $isolation): ?ConcurrencyLimit
    {
        return $this->limits[$isolation->value] ?? null;
    }

    public function isEmpty(): bool
    {
        return $this->limits === [];
    }

    /** Those that wait for a slot of this isolation, and all that would: none comes free. */
    public function refuseWaiting(IsolationMode $isolation): void
    {
        refuse_waiting_requests();
        $this->of($isolation)?->close();
    }
}
