<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use OpenTelemetry\API\Common\Time\Clock;
use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\SpanInterface;
use Stampede\Log\Logger;
use Stampede\Loop\BackgroundTimer;
use Swoole\Coroutine;
use Throwable;

/**
 * Spans that have ended, with the moment at which they did. They are given to the SDK later, in a coroutine of no request, since the SDK's processor may export in the
 * function that ends a span: a request would wait for the collector. A worker gives them at its end as well.
 *
 *     Idle --a span has ended--> Scheduled --its time has come, or there are many--> Exporting --> Idle, or Scheduled when there are more
 */
final class ExportQueue
{
    private const DELAY = 1000; // milliseconds, less than the five seconds after which the SDK exports by itself
    private const MANY = 128;
    private const PATIENCE = 30.0; // seconds for an export that has begun before the last one
    private const METRICS_PERIOD = 60.0; // seconds, the default of OpenTelemetry

    /** @var list<array{SpanInterface, int}> with nanoseconds of the wall clock */
    private array $ended = [];
    private bool $isScheduled = false;
    private bool $isUrgent = false;
    private bool $isExporting = false;
    private bool $isTold = false; // of a failure
    private float $metricsAt;

    /** @param BackgroundExporterFactory|null $exporters of the SDK; null: its processor exports by itself */
    public function __construct(private readonly ?Logger $logger, private readonly ?BackgroundExporterFactory $exporters)
    {
        $this->metricsAt = microtime(true);
    }

    public function add(SpanInterface $span): void
    {
        $this->ended[] = [$span, self::now()];
        if (count($this->ended) >= self::MANY) {
            $this->isUrgent || BackgroundTimer::after(1, $this->export(...));
            $this->isUrgent = true;
        } else {
            $this->schedule();
        }
    }

    /** Waits until the collector has everything, or the exporter has given up. */
    public function finish(): void
    {
        $this->endSpans();
        for ($until = microtime(true) + self::PATIENCE; $this->isExporting && Coroutine::getCid() > 0 && microtime(true) < $until;) {
            Coroutine::sleep(0.005);
        }
        $this->flush(true);
    }

    private static function now(): int
    {
        return class_exists(Clock::class) ? Clock::getDefault()->now() : (int) (microtime(true) * 1e9);
    }

    private function schedule(): void
    {
        $this->isScheduled || BackgroundTimer::after(self::DELAY, $this->export(...));
        $this->isScheduled = true;
    }

    private function export(): void
    {
        $this->isScheduled = $this->isUrgent = false;
        Coroutine::create(function (): void {
            $this->endSpans();
            if ($this->isExporting) { // the SDK takes no further spans when its queue is full
                return;
            }
            $this->isExporting = true;
            try {
                $this->flush(false);
            } finally {
                $this->isExporting = false;
            }
            if ($this->ended !== []) {
                $this->schedule();
            }
        });
    }

    private function endSpans(): void
    {
        $ended = $this->ended;
        $this->ended = [];
        foreach ($ended as [$span, $at]) {
            $span->end($at);
        }
    }

    /** The interfaces of the API know of no export: what the application has configured may be another implementation. */
    private function flush(bool $isEnd): void
    {
        $providers = [Globals::tracerProvider(), Globals::loggerProvider()];
        if ($isEnd || microtime(true) - $this->metricsAt >= self::METRICS_PERIOD) {
            $this->metricsAt = microtime(true);
            $providers[] = Globals::meterProvider();
        }
        foreach ($providers as $provider) {
            if (!method_exists($provider, 'forceFlush')) {
                continue;
            }
            try {
                $this->exporters === null ? $provider->forceFlush() : $this->exporters->flush($provider->forceFlush(...));
            } catch (Throwable $failure) {
                $this->tell($failure);
            }
        }
    }

    private function tell(Throwable $failure): void
    {
        if (!$this->isTold) {
            $this->isTold = true;
            $this->logger?->warning("Telemetry could not be exported, which is said once: {$failure->getMessage()}");
        }
    }
}
