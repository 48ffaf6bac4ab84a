<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use CurlHandle;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\StatusCode;

/** Requests of curl, and of functions that open http:// addresses, in the words of OpenTelemetry. */
final readonly class HttpCalls
{
    /** Which argument is the context of a stream. */
    private const CONTEXT = ['file_get_contents' => 2, 'fopen' => 3, 'file' => 2, 'readfile' => 2, 'copy' => 2, 'get_headers' => 2];
    private const DEFAULTS = ['file_get_contents' => ['', false], 'fopen' => ['', 'r', false], 'file' => ['', 0], 'readfile' => ['', false], 'copy' => ['', ''], 'get_headers' => ['', false]];

    public function __construct(private bool $withValues) {}

    public static function opensAddress(string $function): bool
    {
        return isset(self::CONTEXT[$function]);
    }

    public function isMeant(string $function): bool
    {
        return self::opensAddress($function) || $function === 'curl_exec';
    }

    /** @param list<mixed> $arguments */
    public function describe(string $function, array $arguments): ?ObservedCall
    {
        if (self::opensAddress($function)) {
            $context = $arguments[self::CONTEXT[$function]] ?? null;
            $options = is_resource($context) ? stream_context_get_options($context)['http'] ?? [] : [];
            $method = strtoupper((string) ($options['method'] ?? 'GET'));
            return new ObservedCall($method, ['http.request.method' => $method] + $this->address((string) $arguments[0]));
        }
        $handle = $function === 'curl_exec' ? $arguments[0] ?? null : $arguments[1] ?? null;
        if (!$handle instanceof CurlHandle) {
            return null;
        }
        $url = (string) curl_getinfo($handle, CURLINFO_EFFECTIVE_URL);
        return preg_match('/^https?:\/\//i', $url) === 1 || !str_contains($url, '://') ? new ObservedCall('HTTP', $this->address($url)) : null;
    }

    /**
     * The same call with further fields in the context of its stream: in a copy, since others may be using that context.
     *
     * @param list<mixed> $arguments
     * @param list<string> $fields
     * @return list<mixed>
     */
    public static function withFields(string $function, array $arguments, array $fields): array
    {
        $at = self::CONTEXT[$function];
        $arguments += self::DEFAULTS[$function];
        $context = is_resource($arguments[$at] ?? null) ? $arguments[$at] : stream_context_get_default();
        $options = stream_context_get_options($context);
        $given = $options['http']['header'] ?? [];
        $given = is_array($given) ? $given : preg_split('/\r\n/', trim((string) $given), -1, PREG_SPLIT_NO_EMPTY);
        $names = array_map(static fn (mixed $line): string => strtolower(explode(':', (string) $line, 2)[0]), $given ?: []);
        $more = array_filter($fields, static fn (string $line): bool => !in_array(strtolower(explode(':', $line, 2)[0]), $names, true));
        $options['http']['header'] = [...array_values($given ?: []), ...array_values($more)];
        $parameters = stream_context_get_params($context);
        unset($parameters['options']);
        $arguments[$at] = stream_context_create($options, $parameters);
        ksort($arguments);
        return array_values($arguments);
    }

    /** @param list<mixed> $arguments */
    public function describeEnd(SpanInterface $span, string $function, array $arguments, mixed $result): void
    {
        if ($function !== 'curl_exec') {
            if ($result === false) {
                $span->setStatus(StatusCode::STATUS_ERROR);
            }
            return;
        }
        $handle = $arguments[0];
        if (!$handle instanceof CurlHandle) {
            return;
        }
        if (defined('CURLINFO_EFFECTIVE_METHOD')) {
            $method = (string) curl_getinfo($handle, CURLINFO_EFFECTIVE_METHOD);
            $span->updateName($method ?: 'HTTP');
            $span->setAttribute('http.request.method', $method);
        }
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        if ($status > 0) {
            $span->setAttribute('http.response.status_code', $status);
        }
        if ($status >= 400 || curl_errno($handle) !== 0) {
            $span->setAttribute('error.type', $status >= 400 ? (string) $status : curl_strerror(curl_errno($handle)) ?? '');
            $span->setStatus(StatusCode::STATUS_ERROR);
        }
    }

    /** @return array<non-empty-string, string|int> */
    private function address(string $url): array
    {
        $parts = parse_url($url) ?: [];
        $host = (string) ($parts['host'] ?? '');
        $port = (int) ($parts['port'] ?? (strtolower($parts['scheme'] ?? '') === 'https' ? 443 : 80));
        return ['url.full' => $this->shown($url, $parts)] + ($host === '' ? [] : ['server.address' => $host, 'server.port' => $port]);
    }

    /**
     * Names and passwords never, the query only when asked for.
     *
     * @param array<string, mixed> $parts
     */
    private function shown(string $url, array $parts): string
    {
        $shown = (string) preg_replace('/^([a-z][a-z\d+.-]*:\/\/)[^\/?#@]*@/i', '$1REDACTED@', explode('#', $url, 2)[0]);
        return StatementText::cut($this->withValues || !isset($parts['query']) ? $shown : explode('?', $shown, 2)[0] . '?REDACTED');
    }
}
