<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use Closure;
use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\Context\Context;
use Stampede\Request\RequestEnd;
use Swoole\Http\Request;

/** An observer of requests: a span for each, which is the current one while the request is handled. Its parent is the caller's, in the words of the configured propagator. */
final readonly class ServerSpans
{
    private const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'];

    /** @param bool $withValues whether the query is an attribute */
    public function __construct(private Spans $spans, private bool $withValues) {}

    public function __invoke(Request $request): Closure
    {
        $parent = Globals::propagator()->extract($request->header ?? [], null, Context::getRoot());
        $method = self::method($request);
        $span = $this->spans->tracer()->spanBuilder(self::name($method))
            ->setSpanKind(SpanKind::KIND_SERVER)
            ->setParent($parent)
            ->setAttributes($this->attributes($request, $method))
            ->startSpan();
        $scope = $span->storeInContext($parent)->activate();
        return function (RequestEnd $end) use ($span, $scope, $method): void {
            $scope->detach();
            self::describeEnd($span, $end, $method);
            $this->spans->end($span);
        };
    }

    private static function method(Request $request): string
    {
        $method = (string) $request->server['request_method'];
        return in_array($method, self::METHODS, true) ? $method : '_OTHER';
    }

    /** @return non-empty-string */
    private static function name(string $method): string
    {
        return $method === '_OTHER' || $method === '' ? 'HTTP' : $method;
    }

    /** @return array<non-empty-string, string|int> */
    private function attributes(Request $request, string $method): array
    {
        [$server, $header] = [$request->server, $request->header ?? []];
        $isHttps = ($server['https'] ?? '') === 'on' || ($server['request_scheme'] ?? '') === 'https';
        $protocol = explode('/', (string) ($server['server_protocol'] ?? ''), 2)[1] ?? '';
        $attributes = [
            'http.request.method' => $method,
            'url.scheme' => $isHttps ? 'https' : 'http',
            'url.path' => (string) ($server['request_uri'] ?? '/'),
            'network.protocol.version' => $protocol === '2.0' ? '2' : $protocol,
            'client.address' => (string) ($server['remote_addr'] ?? ''),
        ];
        if ($method === '_OTHER') {
            $attributes['http.request.method_original'] = (string) $server['request_method'];
        }
        if (preg_match('/^(\[[^\]]*\]|[^:]+)(?::(\d{1,5}))?$/D', (string) ($header['host'] ?? ''), $part) === 1) {
            $attributes['server.address'] = $part[1];
            $attributes['server.port'] = (int) ($part[2] ?? ($isHttps ? 443 : 80));
        }
        if (isset($header['user-agent'])) {
            $attributes['user_agent.original'] = (string) $header['user-agent'];
        }
        if ($this->withValues && ($server['query_string'] ?? '') !== '') {
            $attributes['url.query'] = (string) $server['query_string'];
        }
        return $attributes;
    }

    private static function describeEnd(SpanInterface $span, RequestEnd $end, string $method): void
    {
        if (!$span->isRecording()) {
            return;
        }
        $span->setAttribute('http.response.status_code', $end->status);
        if ($end->route !== '') {
            $span->setAttribute('http.route', $end->route);
            $span->updateName(self::name($method) . " {$end->route}");
        }
        if ($end->failure !== null) {
            $span->recordException($end->failure);
        }
        if ($end->status >= 500) {
            $span->setAttribute('error.type', $end->failure !== null ? $end->failure::class : (string) $end->status);
            $span->setStatus(StatusCode::STATUS_ERROR);
        }
        $span->setAttribute('stampede.queue_time', $end->queue);
        $span->setAttribute('stampede.cpu_time', $end->cpu);
    }
}
