<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use Closure;
use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\Span;
use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\Context\Context;
use Throwable;

/** Work that was asked for by a request and is no part of it. Loaded only where open-telemetry/api is. */
final class Jobs
{
    /** @return array<string, string> */
    public static function carrier(): array
    {
        $carrier = [];
        Globals::propagator()->inject($carrier);
        return array_filter($carrier, is_string(...));
    }

    /**
     * @template T
     * @param array<string, string> $carrier
     * @param Closure(): T $work
     * @return T
     */
    public static function run(string $name, array $carrier, Closure $work): mixed
    {
        $spans = Instrumentation::spans();
        $builder = $spans->tracer()->spanBuilder($name ?: 'job')->setParent(Context::getRoot())->setSpanKind(SpanKind::KIND_CONSUMER);
        $asked = Span::fromContext(Globals::propagator()->extract($carrier, null, Context::getRoot()))->getContext();
        if ($asked->isValid()) {
            $builder->addLink($asked);
        }
        $span = $builder->startSpan();
        $scope = $span->storeInContext(Context::getRoot())->activate();
        try {
            return $work();
        } catch (Throwable $failure) {
            $span->recordException($failure);
            $span->setStatus(StatusCode::STATUS_ERROR);
            throw $failure;
        } finally {
            $scope->detach();
            $spans->end($span);
        }
    }
}
