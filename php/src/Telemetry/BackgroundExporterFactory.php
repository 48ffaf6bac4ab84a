<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use OpenTelemetry\SDK\Common\Configuration\Configuration;
use OpenTelemetry\SDK\Registry;
use OpenTelemetry\SDK\Trace\SpanExporter\SpanExporterFactoryInterface;
use OpenTelemetry\SDK\Trace\SpanExporterInterface;
use Stampede\Log\Logger;
use Throwable;

/** Puts a BackgroundExporter before the exporter that the SDK is configured with, by the SDK's registry. */
final class BackgroundExporterFactory implements SpanExporterFactoryInterface
{
    /** @var list<BackgroundExporter> */
    private array $made = [];

    private function __construct(private readonly SpanExporterFactoryInterface $of, private readonly ?Logger $logger) {}

    /** Where there is an SDK, before it is asked for the first time. @return self|null null: it is configured in another way, or exports nothing */
    public static function install(?Logger $logger): ?self
    {
        try {
            $names = Configuration::getList('OTEL_TRACES_EXPORTER');
            if (count($names) !== 1 || $names[0] === 'none') {
                return null;
            }
            $factory = new self(Registry::spanExporterFactory($names[0]), $logger);
            Registry::registerSpanExporterFactory($names[0], $factory, true);
            return $factory;
        } catch (Throwable) { // the SDK says what is wrong with its configuration itself
            return null;
        }
    }

    public function create(): SpanExporterInterface
    {
        return $this->made[] = new BackgroundExporter($this->of->create(), $this->logger);
    }

    /** The registry takes what can be called as it is, and makes an object of anything else. */
    public function __invoke(): self
    {
        return $this;
    }

    /** @param callable(): mixed $flush of processors */
    public function flush(callable $flush): void
    {
        foreach ($this->made as $exporter) {
            $flush = static fn () => $exporter->collect($flush);
        }
        $flush();
        foreach ($this->made as $exporter) {
            $exporter->drain();
        }
    }
}
