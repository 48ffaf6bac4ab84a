<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use CurlHandle;
use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\Span;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\Context\Context;
use Redis;
use Throwable;
use WeakMap;

/**
 * A span for each call of a database, of Redis and of an HTTP client, below the current one. Without a current span there is none: what exports spans has none, and so
 * makes none. What fails in here must not fail in the application.
 */
final class ClientSpans
{
    private readonly ConnectionFacts $connections;
    private readonly DatabaseCalls $databases;
    private readonly HttpCalls $http;
    /** @var WeakMap<CurlHandle, SpanInterface> of transfers in a multi handle */
    private WeakMap $transfers;

    public function __construct(private readonly Spans $spans, private readonly StatementText $statements)
    {
        $this->connections = new ConnectionFacts();
        $this->databases = new DatabaseCalls($statements, $this->connections);
        $this->http = new HttpCalls($statements->showsValues());
        $this->transfers = new WeakMap();
    }

    /**
     * @param list<mixed> $arguments
     * @return array{mixed, list<mixed>|null, list<string>}|null for Stampede\observe_calls()
     */
    public function begin(string $function, ?object $object, array $arguments): ?array
    {
        try {
            if ($function === 'curl_multi_remove_handle') {
                return [[null, $function, $object, $arguments], null, []];
            }
            if (!Span::getCurrent()->getContext()->isValid()) {
                return DatabaseCalls::isMeant($function) ? [[null, $function, $object, $arguments], null, []] : null; // what it makes is used later
            }
            $call = $this->describe($function, $object, $arguments);
            if ($call === null) {
                return null;
            }
            $span = $this->spans->tracer()->spanBuilder($call->name ?: 'call')
                ->setSpanKind($call->isRemote ? SpanKind::KIND_CLIENT : SpanKind::KIND_INTERNAL)
                ->setAttributes($call->attributes)
                ->startSpan();
            [$instead, $fields] = $this->carry($span, $function, $arguments);
            return [[$span, $function, $object, $arguments], $instead, $fields];
        } catch (Throwable $failure) {
            self::tell($failure);
            return null;
        }
    }

    /** @param array{SpanInterface|null, string, ?object, list<mixed>} $call */
    public function end(array $call, mixed $result, ?Throwable $thrown): void
    {
        try {
            [$span, $function, $object, $arguments] = $call;
            if ($thrown === null && DatabaseCalls::isMeant($function)) {
                $this->databases->learn($function, $object, $arguments, $result);
            }
            if ($function === 'curl_multi_add_handle') {
                $span === null || $this->transfers[$arguments[1]] = $span;
            } elseif ($function === 'curl_multi_remove_handle') {
                $this->endTransfer($arguments[1] ?? null);
            } elseif ($span !== null) {
                $this->finish($span, $function, $arguments, $result, $thrown);
            }
        } catch (Throwable $failure) {
            self::tell($failure);
        }
    }

    /** @param list<mixed> $arguments */
    private function describe(string $function, ?object $object, array $arguments): ?ObservedCall
    {
        return match (true) {
            $function === 'Swoole\ConnectionPool::get' && $object !== null => new ObservedCall('wait for a connection', ['db.client.connection.pool.name' => $object::class], false),
            $object instanceof Redis => $this->describeRedis($function, $object, $arguments),
            DatabaseCalls::isMeant($function) => $this->databases->describe($function, $object, $arguments),
            default => $this->http->describe($function, $arguments),
        };
    }

    /** @param list<mixed> $arguments */
    private function describeRedis(string $function, Redis $redis, array $arguments): ObservedCall
    {
        $command = strtoupper(substr($function, 7));
        if ($command === 'RAWCOMMAND' && is_string($arguments[0] ?? null)) {
            $command = strtoupper($arguments[0]);
        }
        $connects = in_array($command, ['CONNECT', 'OPEN', 'PCONNECT', 'POPEN'], true);
        $host = $connects ? (string) ($arguments[0] ?? '') : (string) (@$redis->getHost() ?: '');
        $port = $connects ? (int) ($arguments[1] ?? 0) : (int) (@$redis->getPort() ?: 0);
        $text = $command;
        if ($this->statements->showsValues() && $command !== 'AUTH') {
            $text = StatementText::cut(trim($command . ' ' . implode(' ', array_map(static fn (mixed $value): string => is_scalar($value) ? (string) $value : '?', $arguments))));
        } elseif (!$connects && $arguments !== []) {
            $text .= str_repeat(' ?', min(count($arguments), 16));
        }
        return new ObservedCall($command, ['db.system.name' => 'redis', 'db.operation.name' => $command, 'db.query.text' => $text] + ConnectionFacts::address($host, $port, 6379));
    }

    /**
     * The span's context for the server that is called.
     *
     * @param list<mixed> $arguments
     * @return array{list<mixed>|null, list<string>} arguments instead of the given ones, and fields for curl
     */
    private function carry(SpanInterface $span, string $function, array $arguments): array
    {
        $isCurl = $function === 'curl_exec' || $function === 'curl_multi_add_handle';
        if (!$isCurl && !HttpCalls::opensAddress($function)) {
            return [null, []];
        }
        $carrier = [];
        Globals::propagator()->inject($carrier, null, $span->storeInContext(Context::getCurrent()));
        $fields = [];
        foreach ($carrier as $name => $value) {
            $fields[] = "{$name}: {$value}";
        }
        return $isCurl || $fields === [] ? [null, $fields] : [HttpCalls::withFields($function, $arguments, $fields), []];
    }

    /** @param list<mixed> $arguments */
    private function finish(SpanInterface $span, string $function, array $arguments, mixed $result, ?Throwable $thrown): void
    {
        if ($thrown !== null) {
            // Messages of databases quote values.
            $this->statements->showsValues() ? $span->recordException($thrown) : $span->addEvent('exception', ['exception.type' => $thrown::class]);
            $span->setAttribute('error.type', $thrown::class);
            $span->setStatus(StatusCode::STATUS_ERROR);
        } elseif (!str_starts_with($function, 'Redis::')) { // for which false is a usual answer
            $this->http->isMeant($function) ? $this->http->describeEnd($span, $function, $arguments, $result) : self::fail($span, $result);
        }
        $this->spans->end($span);
    }

    private function endTransfer(mixed $handle): void
    {
        if ($handle instanceof CurlHandle && isset($this->transfers[$handle])) {
            $span = $this->transfers[$handle];
            unset($this->transfers[$handle]);
            $this->http->describeEnd($span, 'curl_exec', [$handle], true);
            $this->spans->end($span);
        }
    }

    private static function fail(SpanInterface $span, mixed $result): void
    {
        if ($result === false) {
            $span->setStatus(StatusCode::STATUS_ERROR);
        }
    }

    private static function tell(Throwable $failure): void
    {
        static $isTold = false;
        if (!$isTold) {
            $isTold = true;
            error_log("A span of a call could not be made, which is said once: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()})");
        }
    }
}
