<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\NoopTracerProvider;
use OpenTelemetry\Context\Context;
use OpenTelemetry\Context\ContextStorageInterface;
use OpenTelemetry\Context\ExecutionContextAwareInterface;
use OpenTelemetry\SDK\Registry;
use Stampede\Log\Logger;
use Stampede\Request\RequestLifecycle;

use function Stampede\observe_calls;

/** What makes traces of an application that has open-telemetry/api. No other file but those that this one loads names a class of that package. */
final class Instrumentation
{
    private static ?ContextStorage $storage = null;
    private static ?ExportQueue $queue = null;
    private static ?Spans $spans = null;

    /** After the application's autoloader is there. */
    public static function isAvailable(): bool
    {
        return interface_exists(ContextStorageInterface::class) && interface_exists(ExecutionContextAwareInterface::class) && class_exists(Globals::class);
    }

    /**
     * In the process that runs the application, after its boot and before its first request.
     *
     * @return bool false when there is nothing to make traces with
     */
    public static function begin(?Logger $logger, bool $withValues): bool
    {
        if (self::$queue !== null) {
            return true;
        }
        if (!self::isAvailable()) {
            return false;
        }
        self::keepContexts();
        $exporters = class_exists(Registry::class) ? BackgroundExporterFactory::install($logger) : null;
        // The SDK registers a shutdown function when it is first asked for: in a request that would be the request's, and its end the SDK's.
        if (Globals::tracerProvider() instanceof NoopTracerProvider) {
            return true; // contexts have their use without spans
        }
        $spans = self::$spans = new Spans(self::$queue = new ExportQueue($logger, $exporters));
        RequestLifecycle::observe((new ServerSpans($spans, $withValues))(...));
        self::observeCalls($spans, $withValues);
        return true;
    }

    /** At the end of the process, or before it goes back to what it was before a request. Waits for the exporter. */
    public static function finish(): void
    {
        self::$queue?->finish();
    }

    /** Those of this process: in one that exports by itself they are given to the SDK later. */
    public static function spans(): Spans
    {
        return self::$spans ??= new Spans(null);
    }

    public static function keepContexts(): void
    {
        if (self::$storage === null) {
            Context::setStorage(self::$storage = new ContextStorage());
        }
    }

    public static function observeCalls(?Spans $spans, bool $withValues): void
    {
        $calls = new ClientSpans($spans ?? self::spans(), new StatementText($withValues));
        observe_calls($calls->begin(...), $calls->end(...));
    }
}
