<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Diagnostics\LeakReporter;
use Swoole\Timer;

/** What `stampede leaks` asks of a worker: to measure its requests for a while, and what has grown with them. */
final class GrowthMeasurement
{
    private const LEASE = 30_000; // milliseconds until it ends when nobody asks any more
    private const STOP = 0;
    private const MEASURE = 1;
    private const REPORT = 2;

    private ?LeakReporter $reporter = null;
    private int $session = 0;
    private int|false $lease = false;

    public function __construct(private readonly WorkerKernel $kernel) {}

    /**
     * @param int $number the action in two bits, milliseconds that a look at the heap may take in 14, the number of the client that asks in the others
     * @return array<string, mixed>
     */
    public function answer(int $number): array
    {
        [$action, $pause, $session] = [$number & 3, ($number >> 2 & 0x3fff) / 1000, $number >> 16];
        if ($this->reporter !== null && $session !== $this->session) {
            return ['error' => 'is being measured for somebody else'];
        }
        if ($action === self::MEASURE) {
            $this->begin($session, $pause);
        }
        if ($this->reporter === null) {
            return ['error' => 'does not measure'];
        }
        $answer = ['measured' => $this->reporter->measured()] + ($action === self::REPORT ? ['routes' => $this->reporter->report()] : []);
        if ($action === self::STOP) {
            $this->stop();
        }
        return $answer;
    }

    public function stop(): void
    {
        $this->endLease();
        $this->kernel->measure(null);
        $this->reporter = null;
    }

    private function begin(int $session, float $pause): void
    {
        $this->endLease();
        $this->lease = Timer::after(self::LEASE, $this->stop(...));
        if ($this->reporter === null) {
            $this->session = $session;
            $this->reporter = new LeakReporter(1, $pause);
            $this->kernel->measure($this->reporter);
        }
    }

    private function endLease(): void
    {
        if ($this->lease !== false) {
            Timer::clear($this->lease);
            $this->lease = false;
        }
    }
}
