<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\TracerInterface;
use OpenTelemetry\API\Trace\TracerProviderInterface;

/** Where the spans of this package begin and end, in the words of OpenTelemetry. Loaded only where open-telemetry/api is. */
final class Spans
{
    public const NAME = 'stampede';
    public const SCHEMA = 'https://opentelemetry.io/schemas/1.32.0';

    private ?TracerInterface $tracer = null;
    private ?TracerProviderInterface $provider = null;

    /** @param ExportQueue|null $queue of spans that have ended; null: they end where they are, which may export others */
    public function __construct(private readonly ?ExportQueue $queue) {}

    public function tracer(): TracerInterface
    {
        $provider = Globals::tracerProvider();
        if ($this->tracer === null || $this->provider !== $provider) {
            $this->provider = $provider;
            $this->tracer = $provider->getTracer(self::NAME, null, self::SCHEMA);
        }
        return $this->tracer;
    }

    public function end(SpanInterface $span): void
    {
        if ($this->queue === null) {
            $span->end();
        } elseif ($span->isRecording()) {
            $this->queue->add($span);
        }
    }
}
