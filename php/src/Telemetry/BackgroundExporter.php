<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use OpenTelemetry\SDK\Common\Future\CancellationInterface;
use OpenTelemetry\SDK\Common\Future\CompletedFuture;
use OpenTelemetry\SDK\Common\Future\FutureInterface;
use OpenTelemetry\SDK\Trace\SpanDataInterface;
use OpenTelemetry\SDK\Trace\SpanExporterInterface;
use Stampede\Log\Logger;

/**
 * Stands before the configured exporter: what the SDK's processor exports, in whatever request a batch has become full, is kept until ExportQueue exports it. That is
 * done in small pieces, since the other requests of the process wait while one is put together. Loaded only where open-telemetry/sdk is.
 */
final class BackgroundExporter implements SpanExporterInterface
{
    private const PIECE = 64; // spans
    private const MOST = 32_768; // spans that are kept; further ones are dropped

    /** @var array<int, list<SpanDataInterface>> pieces by their numbers; the last one is not full */
    private array $pieces = [[]];
    private int $first = 0;
    private int $last = 0;
    private bool $isCollecting = false;
    private bool $isTold = false;

    public function __construct(private readonly SpanExporterInterface $exporter, private readonly ?Logger $logger) {}

    /** @param iterable<SpanDataInterface> $batch */
    public function export(iterable $batch, ?CancellationInterface $cancellation = null): FutureInterface
    {
        if (($this->last - $this->first) * self::PIECE >= self::MOST) {
            $this->tell();
            return new CompletedFuture(false);
        }
        foreach ($batch as $span) {
            $this->pieces[$this->last][] = $span;
            if (count($this->pieces[$this->last]) === self::PIECE) {
                $this->pieces[++$this->last] = [];
            }
        }
        return new CompletedFuture(true);
    }

    /** While the function runs forceFlush() exports nothing: the processor takes no spans meanwhile, and drops them. @param callable(): mixed $flush */
    public function collect(callable $flush): void
    {
        $this->isCollecting = true;
        try {
            $flush();
        } finally {
            $this->isCollecting = false;
        }
    }

    /** Until nothing is left, or the exporter has given a piece up; that one is lost then. */
    public function drain(?CancellationInterface $cancellation = null): bool
    {
        while ($this->pieces[$this->first] !== []) {
            $piece = $this->pieces[$this->first];
            unset($this->pieces[$this->first]);
            if ($this->first === $this->last) {
                $this->pieces[++$this->last] = [];
            }
            $this->first++;
            if ($this->exporter->export($piece, $cancellation)->await() !== true) {
                return false;
            }
        }
        return true;
    }

    public function shutdown(?CancellationInterface $cancellation = null): bool
    {
        $isDone = $this->drain($cancellation);
        return $this->exporter->shutdown($cancellation) && $isDone;
    }

    public function forceFlush(?CancellationInterface $cancellation = null): bool
    {
        return $this->isCollecting || ($this->drain($cancellation) && $this->exporter->forceFlush($cancellation));
    }

    private function tell(): void
    {
        if (!$this->isTold) {
            $this->isTold = true;
            $this->logger?->warning('Spans are dropped, which is said once: they come faster than they are exported. A sampler (OTEL_TRACES_SAMPLER) makes them fewer.');
        }
    }
}
