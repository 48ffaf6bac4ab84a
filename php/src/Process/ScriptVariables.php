<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\Resource;
use Stampede\Runner\HeaderVariables;
use Swoole\Http\Request;

/** What a script finds in $_SERVER: the parameters that nginx sends to PHP-FPM. */
final class ScriptVariables
{
    private readonly string $software;
    /** @var array<array-key, string> by the name of a header field; empty: the field is left out */
    private array $keys = [];

    public function __construct(private readonly string $documentRoot, private readonly string $serverName)
    {
        $this->software = 'stampede/' . phpversion('stampede');
    }

    /**
     * @param Resource $resource the script that is run
     * @return array<string, string>
     */
    public function of(Request $request, Resource $resource, int $bodySize): array
    {
        $server = $request->server;
        $header = $request->header ?? [];
        $uri = $server['request_uri'] ?? '/';
        $query = $server['query_string'] ?? '';
        [$name, $pathInfo] = [$resource->scriptName, $resource->pathInfo];
        $variables = [
            'USER' => (string) getenv('USER'),
            'HOME' => (string) getenv('HOME'),
            'SCRIPT_NAME' => $name,
            'PATH_INFO' => $pathInfo,
            'SCRIPT_FILENAME' => $resource->file,
            'QUERY_STRING' => $query,
            'REQUEST_METHOD' => $server['request_method'],
            'CONTENT_TYPE' => $header['content-type'] ?? '',
            'CONTENT_LENGTH' => $header['content-length'] ?? ($bodySize > 0 ? (string) $bodySize : ''),
            'REQUEST_URI' => $query === '' ? $uri : "{$uri}?{$query}",
            'DOCUMENT_URI' => $name,
            'DOCUMENT_ROOT' => $this->documentRoot,
            'SERVER_PROTOCOL' => $server['server_protocol'],
            'REQUEST_SCHEME' => 'http',
            'GATEWAY_INTERFACE' => 'CGI/1.1',
            'SERVER_SOFTWARE' => $this->software,
            'REMOTE_ADDR' => $server['remote_addr'] ?? '',
            'REMOTE_PORT' => (string) ($server['remote_port'] ?? ''),
            'REMOTE_USER' => isset($header['authorization']) ? self::userOf($header['authorization']) : '',
            'SERVER_ADDR' => $server['server_addr'] ?? '',
            'SERVER_PORT' => (string) ($server['server_port'] ?? ''),
            'SERVER_NAME' => $this->serverName !== '' ? $this->serverName : HeaderVariables::host($header['host'] ?? 'localhost'),
            'REDIRECT_STATUS' => '200',
        ];
        if (($server['https'] ?? '') === 'on' || ($server['request_scheme'] ?? '') === 'https') {
            $variables['HTTPS'] = 'on';
            $variables['REQUEST_SCHEME'] = 'https';
        }
        $variables += $server['client_certificate'] ?? [];
        foreach ($header as $field => $value) {
            $key = $this->keys[$field] ?? $this->keyOf((string) $field);
            if ($key !== '') {
                $variables[$key] = $value;
            }
        }
        return $variables + ['FCGI_ROLE' => 'RESPONDER', 'PHP_SELF' => $name . $pathInfo];
    }

    private function keyOf(string $name): string
    {
        $key = HeaderVariables::key($name);
        $key = str_starts_with($key, 'CONTENT_') ? '' : $key; // nginx sends these by themselves
        if (HeaderVariables::isWorthKeeping($name, $this->keys)) {
            $this->keys[$name] = $key;
        }
        return $key;
    }

    private static function userOf(string $authorization): string
    {
        $isBasic = strncasecmp($authorization, 'Basic ', 6) === 0;
        return $isBasic ? explode(':', (string) base64_decode(substr($authorization, 6), true), 2)[0] : '';
    }
}
