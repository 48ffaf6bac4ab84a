<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Swoole\Http\Request;

/** What PHP's web servers put into $_SERVER for a request. */
final readonly class ServerVariables
{
    /** @var array<string, mixed> */
    private array $fixed;

    public function __construct(string $documentRoot, string $entry)
    {
        $script = str_starts_with($entry, "{$documentRoot}/") ? substr($entry, strlen($documentRoot)) : '/' . basename($entry);
        $environment = array_diff_key($_SERVER, array_flip(['argv', 'argc']));
        $this->fixed = [
            'DOCUMENT_ROOT' => $documentRoot,
            'SCRIPT_FILENAME' => $entry,
            'SCRIPT_NAME' => $script,
            'PHP_SELF' => $script,
            'GATEWAY_INTERFACE' => 'CGI/1.1',
        ] + $environment;
    }

    /** @return array<string, mixed> */
    public function of(Request $request): array
    {
        $server = $request->server;
        $uri = $server['request_uri'] ?? '/';
        $query = $server['query_string'] ?? '';
        $variables = [
            'REQUEST_METHOD' => $server['request_method'],
            'REQUEST_URI' => $query === '' ? $uri : "{$uri}?{$query}",
            'QUERY_STRING' => $query,
            'REQUEST_TIME' => $server['request_time'],
            'REQUEST_TIME_FLOAT' => $server['request_time_float'],
            'SERVER_PROTOCOL' => $server['server_protocol'],
            'SERVER_SOFTWARE' => 'stampede/' . phpversion('stampede'),
            'SERVER_PORT' => (string) ($server['server_port'] ?? ''),
            'SERVER_ADDR' => $server['server_addr'] ?? '',
            'SERVER_NAME' => $this->hostOf($request),
            'REMOTE_ADDR' => $server['remote_addr'] ?? '',
            'REMOTE_PORT' => (string) ($server['remote_port'] ?? ''),
        ];
        if (($server['https'] ?? '') === 'on' || ($server['request_scheme'] ?? '') === 'https') {
            $variables['HTTPS'] = 'on';
            $variables['REQUEST_SCHEME'] = 'https';
        }
        return $variables + $this->fieldsOf($request) + $this->fixed;
    }

    /** @return array<string, string> */
    private function fieldsOf(Request $request): array
    {
        $fields = [];
        foreach ($request->header ?? [] as $name => $value) {
            $key = strtoupper(strtr((string) $name, '-', '_'));
            if ($key === 'PROXY') {
                continue; // HTTP_PROXY would be taken for the proxy that clients of the application are to use
            }
            $fields[$key === 'CONTENT_TYPE' || $key === 'CONTENT_LENGTH' ? $key : "HTTP_{$key}"] = $value;
        }
        $authorization = $request->header['authorization'] ?? '';
        if (strncasecmp($authorization, 'Basic ', 6) === 0) {
            $pair = explode(':', (string) base64_decode(substr($authorization, 6), true), 2);
            if (count($pair) === 2) {
                [$fields['PHP_AUTH_USER'], $fields['PHP_AUTH_PW']] = $pair;
            }
        }
        return $fields;
    }

    private function hostOf(Request $request): string
    {
        return (string) preg_replace('/:\d+$/', '', $request->header['host'] ?? 'localhost');
    }
}
