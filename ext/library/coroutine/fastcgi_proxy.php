<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI;

use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\HttpResponse;
use Swoole\Http\Request as SwooleHttpRequest;
use Swoole\Http\Response as SwooleHttpResponse;
use Swoole\Http\Status;

/**
 * Puts a server in front of a FastCGI application: requests are passed on, responses come back. Files below the document root
 * that are no scripts are sent from here.
 */
class Proxy
{
    private const STATIC_TYPES = '~\.(?!php\d?$|phtml$|phar$)[A-Za-z0-9]+$~';

    /** @var string */
    protected $host;

    /** @var int */
    protected $port;

    /** @var float seconds, -1: without limit */
    protected $timeout = -1;

    /** @var string */
    protected $documentRoot;

    /** @var bool */
    protected $https = false;

    /** @var string */
    protected $index = 'index.php';

    /** @var array<string, string> */
    protected $params = [];

    /** @var callable|null instead of the own one */
    protected $staticFileFilter;

    /** Not kept as a callable: the object would hold itself. */
    private bool $filtersItself = true;

    public function __construct(string $url, string $documentRoot = '/')
    {
        [$this->host, $this->port] = Client::parseUrl($url);
        $this->documentRoot = rtrim($documentRoot, '/');
    }

    /** @return static */
    public function withTimeout(float $timeout): self
    {
        $this->timeout = $timeout;
        return $this;
    }

    /** @return static */
    public function withHttps(bool $https): self
    {
        $this->https = $https;
        return $this;
    }

    /** @return static */
    public function withIndex(string $index): self
    {
        $this->index = $index;
        return $this;
    }

    public function getParam(string $name): ?string
    {
        return $this->params[$name] ?? null;
    }

    /** @return static */
    public function withParam(string $name, string $value): self
    {
        $this->params[$name] = $value;
        return $this;
    }

    /** @return static */
    public function withoutParam(string $name): self
    {
        unset($this->params[$name]);
        return $this;
    }

    /** @return array<string, string> */
    public function getParams(): array
    {
        return $this->params;
    }

    /**
     * @param array<string, string> $params
     * @return static
     */
    public function withParams(array $params): self
    {
        $this->params = $params;
        return $this;
    }

    /**
     * @param array<string, string> $params
     * @return static
     */
    public function withAddedParams(array $params): self
    {
        $this->params = $params + $this->params;
        return $this;
    }

    /**
     * A function of request and response that returns true when it has responded; null sends everything to the application.
     *
     * @return static
     */
    public function withStaticFileFilter(?callable $filter): self
    {
        $this->staticFileFilter = $filter;
        $this->filtersItself = false;
        return $this;
    }

    public function translateRequest(SwooleHttpRequest $userRequest): HttpRequest
    {
        $server = $userRequest->server;
        $path = self::normalise(rawurldecode((string) ($server['request_uri'] ?? '/')));
        $script = str_ends_with($path, '/') ? $path . $this->index : $path;
        $pathInfo = '';
        if (preg_match('~^(.+?\.php)(/.*)$~', $script, $parts) === 1) {
            [, $script, $pathInfo] = $parts;
        }
        $query = (string) ($server['query_string'] ?? '');
        $request = (new HttpRequest())
            ->withDocumentRoot($this->documentRoot)
            ->withScriptFilename($this->documentRoot . $script)
            ->withScriptName($script)
            ->withDocumentUri($script . $pathInfo)
            ->withRequestUri($server['request_uri'] . ($query === '' ? '' : "?$query"))
            ->withQueryString($query)
            ->withScheme($this->https ? 'https' : 'http')
            ->withMethod((string) $server['request_method'])
            ->withServerProtocol((string) $server['server_protocol'])
            ->withRemoteAddr((string) ($server['remote_addr'] ?? ''))
            ->withRemotePort((int) ($server['remote_port'] ?? 0))
            ->withServerPort((int) ($server['server_port'] ?? 0))
            ->withServerName(explode(':', (string) ($userRequest->header['host'] ?? 'localhost'))[0])
            ->withBody((string) $userRequest->rawContent())
            ->withContentType((string) ($userRequest->header['content-type'] ?? ''));
        if ($pathInfo !== '') {
            $request->withParam('PATH_INFO', $pathInfo);
        }
        if ($this->https) {
            $request->withParam('HTTPS', 'on');
        }
        self::addHeaders($request, $userRequest);
        return $request->withAddedParams($this->params);
    }

    public function translateResponse(HttpResponse $response, SwooleHttpResponse $userResponse): void
    {
        $userResponse->status($response->getStatusCode(), $response->getReasonPhrase());
        foreach ($response->getHeaders() as $name => $value) {
            $userResponse->header($name, $value);
        }
        if ($response->getSetCookieHeaderLines() !== []) {
            $userResponse->header('Set-Cookie', $response->getSetCookieHeaderLines());
        }
        $userResponse->end($response->getBody());
    }

    /**
     * Responds to the request with what the application says.
     *
     * @throws \Swoole\Coroutine\FastCGI\Client\Exception
     */
    public function pass(SwooleHttpRequest|HttpRequest $userRequest, SwooleHttpResponse $userResponse): void
    {
        $request = $userRequest instanceof HttpRequest ? $userRequest : $this->translateRequest($userRequest);
        $filter = $this->filtersItself ? $this->staticFileFiltrate(...) : $this->staticFileFilter;
        if ($filter !== null && $filter($request, $userResponse)) {
            return;
        }
        $response = (new Client($this->host, $this->port))->execute($request, $this->timeout);
        $this->translateResponse($response, $userResponse);
    }

    /** Sends the file when the request names one that is no script; true when the response has been sent. */
    public function staticFileFiltrate(HttpRequest $request, SwooleHttpResponse $userResponse): bool
    {
        $name = (string) $request->getScriptName();
        if (preg_match(self::STATIC_TYPES, $name) !== 1 || str_contains($name, '/.')) {
            return false;
        }
        $root = realpath($this->documentRoot === '' ? '/' : $this->documentRoot);
        $file = realpath((string) $request->getScriptFilename());
        if ($root === false || $file === false || !is_file($file) || !str_starts_with($file, rtrim($root, '/') . '/')) {
            $userResponse->status(Status::NOT_FOUND);
            $userResponse->end();
            return true;
        }
        $userResponse->sendfile($file);
        return true;
    }

    private static function addHeaders(HttpRequest $request, SwooleHttpRequest $userRequest): void
    {
        foreach ($userRequest->header ?? [] as $name => $value) {
            if (!in_array($name, ['content-type', 'content-length', 'proxy', 'transfer-encoding'], true)) {
                $request->withHeader($name, (string) $value);
            }
        }
        if (!isset($userRequest->header['cookie']) && !empty($userRequest->cookie)) {
            $pairs = [];
            foreach ($userRequest->cookie as $name => $value) {
                $pairs[] = $name . '=' . rawurlencode((string) $value);
            }
            $request->withHeader('Cookie', implode('; ', $pairs));
        }
    }

    /** Without "." and "..", so that no path leaves the document root. */
    private static function normalise(string $path): string
    {
        $kept = [];
        foreach (explode('/', str_replace(["\0", '\\'], '', $path)) as $part) {
            if ($part === '..') {
                array_pop($kept);
            } elseif ($part !== '' && $part !== '.') {
                $kept[] = $part;
            }
        }
        $folder = $kept === [] || str_ends_with($path, '/') ? '/' : '';
        return $kept === [] ? '/' : '/' . implode('/', $kept) . $folder;
    }
}
