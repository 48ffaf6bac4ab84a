<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Swoole\Http\Request;

/** What PHP's web servers put into $_SERVER for a request. */
final class ServerVariables
{
    /** @var array<string, mixed>|null what each request has, before its own values */
    private ?array $fixed = null;
    /**
     * Those of the last request, in which the next one's take their places: as long as nothing else holds the array, PHP need not copy it. What an application
     * does to its $_SERVER never comes here: that makes a copy of its own.
     *
     * @var array<string, mixed>|null
     */
    private ?array $last = null;
    /** @var array<array-key, string> header fields of the last request */
    private array $lastFields = [];
    /** @var array<array-key, string> by the name of a header field; empty: the field is left out */
    private array $keys = [];

    /** @param string $serverName what SERVER_NAME is; empty: the host that the client names */
    public function __construct(
        private readonly string $documentRoot,
        private readonly string $entry,
        private readonly string $serverName = '',
        private readonly Environment $environment = Environment::Whole,
    ) {}

    /**
     * Made with the first request: what the application's boot has added to $_SERVER, from an .env file for instance, is each request's, too.
     *
     * @return array<string, mixed>
     */
    private function fixed(): array
    {
        $script = str_starts_with($this->entry, "{$this->documentRoot}/") ? substr($this->entry, strlen($this->documentRoot)) : '/' . basename($this->entry);
        $environment = array_diff_key($_SERVER, array_flip(['argv', 'argc', 'PATH_TRANSLATED']), $this->environment->hidden()); // these are of the program that serves
        return [
            'REQUEST_METHOD' => '',
            'REQUEST_URI' => '',
            'QUERY_STRING' => '',
            'REQUEST_TIME' => 0,
            'REQUEST_TIME_FLOAT' => 0.0,
            'SERVER_PROTOCOL' => '',
            'SERVER_SOFTWARE' => 'stampede/' . phpversion('stampede'),
            'SERVER_PORT' => '',
            'SERVER_ADDR' => '',
            'SERVER_NAME' => $this->serverName,
            'REMOTE_ADDR' => '',
            'REMOTE_PORT' => '',
            'DOCUMENT_ROOT' => $this->documentRoot,
            'SCRIPT_FILENAME' => $this->entry,
            'SCRIPT_NAME' => $script,
            'PHP_SELF' => $script,
            'GATEWAY_INTERFACE' => 'CGI/1.1',
            'REQUEST_SCHEME' => 'http',
        ] + $environment;
    }

    /** @return array<string, mixed> */
    public function of(Request $request): array
    {
        $server = $request->server;
        $uri = $server['request_uri'] ?? '/';
        $query = $server['query_string'] ?? '';
        $variables = $this->last ?? ($this->fixed = $this->fixed());
        $this->last = null; // a second reference would cost a copy
        $variables['REQUEST_METHOD'] = $server['request_method'];
        $variables['REQUEST_URI'] = $query === '' ? $uri : "{$uri}?{$query}";
        $variables['QUERY_STRING'] = $query;
        $variables['REQUEST_TIME'] = $server['request_time'];
        $variables['REQUEST_TIME_FLOAT'] = $server['request_time_float'];
        $variables['SERVER_PROTOCOL'] = $server['server_protocol'];
        $variables['SERVER_PORT'] = (string) ($server['server_port'] ?? '');
        $variables['SERVER_ADDR'] = $server['server_addr'] ?? '';
        if ($this->serverName === '') {
            $variables['SERVER_NAME'] = HeaderVariables::host($request->header['host'] ?? 'localhost');
        }
        $variables['REMOTE_ADDR'] = $server['remote_addr'] ?? '';
        $variables['REMOTE_PORT'] = (string) ($server['remote_port'] ?? '');
        $fields = $request->header ?? [];
        foreach ($this->lastFields as $name => $_) {
            if (!isset($fields[$name])) {
                $key = $this->keys[$name] ?? $this->keyOf((string) $name);
                unset($variables[$key]);
                if (isset($this->fixed[$key])) { // the environment has it, too
                    $variables[$key] = $this->fixed[$key];
                }
            }
        }
        foreach ($fields as $name => $value) {
            $key = $this->keys[$name] ?? $this->keyOf((string) $name);
            if ($key !== '') {
                $variables[$key] = $value;
            }
        }
        $this->lastFields = $fields;
        $this->last = $variables;
        // Few requests have these: they are not in the array of the next one.
        $more = ($server['https'] ?? '') === 'on' || ($server['request_scheme'] ?? '') === 'https' ? ['HTTPS' => 'on', 'REQUEST_SCHEME' => 'https'] : [];
        $more += $server['client_certificate'] ?? [];
        if (isset($fields['authorization'])) {
            $more += self::credentials($fields['authorization']);
        }
        return $more === [] ? $variables : $more + $variables;
    }

    private function keyOf(string $name): string
    {
        $key = HeaderVariables::key($name);
        if (HeaderVariables::isWorthKeeping($name, $this->keys)) {
            $this->keys[$name] = $key;
        }
        return $key;
    }

    /** @return array<string, string> */
    private static function credentials(string $authorization): array
    {
        if (strncasecmp($authorization, 'Digest ', 7) === 0) {
            return ['PHP_AUTH_DIGEST' => substr($authorization, 7)];
        }
        if (strncasecmp($authorization, 'Basic ', 6) !== 0) {
            return [];
        }
        $pair = explode(':', (string) base64_decode(substr($authorization, 6), true), 2);
        return count($pair) === 2 ? ['PHP_AUTH_USER' => $pair[0], 'PHP_AUTH_PW' => $pair[1]] : [];
    }
}
