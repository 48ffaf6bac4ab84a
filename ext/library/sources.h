// Made by tools/gen-library from ext/library/*.php; not to be edited.
#pragma once

#include "library/library.h"

namespace stampede::library {

// clang-format off
inline constexpr Source kSources[] = {
    {"stampede\\library\\requests", "stampede://http/requests.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Http\Client\Exception;
use Swoole\Coroutine\Http\ClientProxy;

/**
 * The functions of Swoole\Coroutine\Http, three ways to make one request. Options are those of the way used.
 *
 * @internal
 */
final class Requests
{
    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function request(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $driver = swoole_library_get_option('http_client_driver') ?: (Coroutine::getCid() > 0 ? 'swoole' : 'curl');
        if ($driver === 'swoole') {
            return self::byClient($url, $method, $data, $options, $headers, $cookies);
        }
        if ($driver === 'curl' && extension_loaded('curl')) {
            return self::byCurl($url, $method, $data, $options, $headers, $cookies);
        }
        return self::byStream($url, $method, $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function get(string $url, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'GET', null, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function post(string $url, mixed $data, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'POST', $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byClient(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $parts = parse_url($url);
        if (!is_array($parts) || empty($parts['host'])) {
            throw new Exception("The URL \"$url\" names no host.");
        }
        $tls = strcasecmp($parts['scheme'] ?? 'http', 'https') === 0;
        $client = new Client(trim($parts['host'], '[]'), $parts['port'] ?? ($tls ? 443 : 80), $tls);
        $client->setMethod(strtoupper($method));
        if ($data !== null && $data !== '' && $data !== []) {
            $client->setData(is_array($data) ? $data : (string) $data);
        }
        if ($options) {
            $client->set($options);
        }
        $client->setHeaders($headers ?? []);
        if ($cookies) {
            $client->setCookies($cookies);
        }
        if (isset($parts['user'])) {
            $client->setBasicAuth(rawurldecode($parts['user']), rawurldecode($parts['pass'] ?? ''));
        }
        $query = isset($parts['query']) ? '?' . $parts['query'] : '';
        if (!$client->execute(($parts['path'] ?? '/') . $query)) {
            throw new Exception($client->errMsg, $client->errCode);
        }
        $answer = new ClientProxy($client->body, $client->statusCode, $client->headers, $client->cookies);
        $client->close();
        return $answer;
    }

    /**
     * @param array<string, mixed>|null $options timeout, connect_timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byCurl(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $handle = curl_init($url);
        if ($handle === false) {
            throw new Exception("curl refuses the URL \"$url\".");
        }
        $answerHeaders = $answerCookies = [];
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CUSTOMREQUEST => strtoupper($method),
            CURLOPT_HTTPHEADER => self::lines($headers, $cookies),
            CURLOPT_TIMEOUT_MS => (int) (1000 * max(0, (float) ($options['timeout'] ?? 0))),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$answerHeaders, &$answerCookies): int {
                self::takeLine($line, $answerHeaders, $answerCookies);
                return strlen($line);
            },
        ]);
        if (isset($options['connect_timeout'])) {
            curl_setopt($handle, CURLOPT_CONNECTTIMEOUT_MS, (int) (1000 * (float) $options['connect_timeout']));
        }
        if ($data !== null && $data !== '' && $data !== []) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, is_array($data) ? http_build_query($data) : (string) $data);
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new Exception(curl_error($handle), curl_errno($handle));
        }
        return new ClientProxy($body, (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $answerHeaders, $answerCookies);
    }

    /**
     * @param array<string, mixed>|null $options timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byStream(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $lines = self::lines($headers, $cookies);
        $http = ['method' => strtoupper($method), 'ignore_errors' => true, 'follow_location' => 0];
        if ($data !== null && $data !== '' && $data !== []) {
            $http['content'] = is_array($data) ? http_build_query($data) : (string) $data;
            if (is_array($data) && !isset(array_change_key_case($headers ?? [])['content-type'])) {
                $lines[] = 'Content-Type: application/x-www-form-urlencoded';
            }
        }
        if (isset($options['timeout'])) {
            $http['timeout'] = (float) $options['timeout'];
        }
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http + ['header' => $lines]]));
        if ($stream === false) {
            throw new Exception(error_get_last()['message'] ?? "\"$url\" cannot be opened.");
        }
        $status = 0;
        $answerHeaders = $answerCookies = [];
        foreach ((array) (stream_get_meta_data($stream)['wrapper_data'] ?? []) as $line) {
            if (preg_match('~^HTTP/[\d.]+ (\d{3})~', (string) $line, $parts) === 1) {
                $status = (int) $parts[1];
            }
            self::takeLine((string) $line, $answerHeaders, $answerCookies);
        }
        $body = stream_get_contents($stream);
        fclose($stream);
        return new ClientProxy((string) $body, $status, $answerHeaders, $answerCookies);
    }

    /**
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     * @return list<string>
     */
    private static function lines(?array $headers, ?array $cookies): array
    {
        $lines = [];
        foreach ($headers ?? [] as $name => $value) {
            $lines[] = str_replace(["\r", "\n", "\0"], '', "$name: $value");
        }
        $pairs = [];
        foreach ($cookies ?? [] as $name => $value) {
            $pairs[] = $name . '=' . rawurlencode((string) $value);
        }
        return $pairs === [] ? $lines : [...$lines, 'Cookie: ' . implode('; ', $pairs)];
    }

    /**
     * @param array<string, mixed> $headers
     * @param array<string, string> $cookies
     */
    private static function takeLine(string $line, array &$headers, array &$cookies): void
    {
        $parts = explode(':', rtrim($line, "\r\n"), 2);
     )~~~"
     R"~~~(   if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [strtolower($parts[0]), trim($parts[1])];
        $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], $value] : $value;
        if ($name === 'set-cookie' && preg_match('~^([^=;]+)=([^;]*)~', $value, $pair) === 1) {
            $cookies[$pair[1]] = urldecode($pair[2]);
        }
    }
}
)~~~"},
    {"swoole\\connectionpool", "stampede://connection_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use RuntimeException;
use Swoole\Coroutine\Channel;
use Throwable;

/**
 * Up to $size connections that coroutines take and give back. A connection is made by the constructor when none is
 * free and the pool is not full yet. With $proxy the constructor is a class name and gets the pool as its argument.
 */
class ConnectionPool
{
    public const DEFAULT_SIZE = 64;

    /** @var Channel|null connections that nobody uses; null once the pool is closed */
    protected $pool;

    /** @var callable */
    protected $constructor;

    /** @var int */
    protected $size;

    /** @var int connections made and not lost */
    protected $num = 0;

    /** @var string|null */
    protected $proxy;

    public function __construct(callable $constructor, int $size = self::DEFAULT_SIZE, ?string $proxy = null)
    {
        $this->pool = new Channel($this->size = $size);
        $this->constructor = $constructor;
        $this->proxy = $proxy;
    }

    /** Makes connections until the pool is full. */
    public function fill(): void
    {
        while ($this->size > $this->num) {
            $this->make();
        }
    }

    /**
     * A connection for the caller alone, until put(). Waits at most $timeout seconds when all are in use, for ever
     * with -1; false when the time is over.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        if ($this->pool === null) {
            throw new RuntimeException('Pool has been closed');
        }
        if ($this->pool->isEmpty() && $this->num < $this->size) {
            $this->make();
        }
        return $this->pool->pop($timeout);
    }

    /**
     * Gives a connection back; null says that it was lost, and another is made when one is needed.
     *
     * @param mixed $connection
     */
    public function put($connection): void
    {
        if ($this->pool === null) {
            return;
        }
        if ($connection !== null) {
            $this->pool->push($connection);
        } else {
            $this->num--;
            $this->make();
        }
    }

    /** No connection is handed out any more, and those in the pool are dropped. */
    public function close(): void
    {
        if ($this->pool === null) {
            return;
        }
        $this->pool->close();
        $this->pool = null;
        $this->num = 0;
    }

    protected function make(): void
    {
        $this->num++;
        try {
            $constructor = $this->constructor;
            $connection = $this->proxy !== null ? new $this->proxy($constructor) : $constructor();
        } catch (Throwable $error) {
            $this->num--;
            throw $error;
        }
        $this->put($connection);
    }
}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\client", "stampede://coroutine/fastcgi_client.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI;

use InvalidArgumentException;
use Swoole\Coroutine\FastCGI\Client\Exception;
use Swoole\Coroutine\Socket;
use Swoole\FastCGI\FrameParser;
use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\HttpResponse;
use Swoole\FastCGI\Record\EndRequest;
use Swoole\FastCGI\Request;
use Swoole\FastCGI\Response;
use Throwable;

/** Speaks to a FastCGI application such as php-fpm. One request at a time. */
class Client
{
    private const MOST_AT_ONCE = 65536;

    protected int $af;

    protected string $host;

    protected int $port;

    protected ?Socket $socket = null;

    /** A host and a port, or "unix:/path". */
    public function __construct(string $host, int $port = 0, protected bool $ssl = false)
    {
        if (str_starts_with($host, 'unix:')) {
            $this->af = AF_UNIX;
            $host = '/' . ltrim(substr($host, strlen('unix:')), '/');
        } else {
            $this->af = str_contains($host, ':') ? AF_INET6 : AF_INET;
        }
        $this->host = $host;
        $this->port = $port;
    }

    /**
     * Sends the request and waits for its answer, at most $timeout seconds for each step (-1: without limit). An
     * HttpRequest gives an HttpResponse.
     *
     * @return ($request is HttpRequest ? HttpResponse : Response)
     * @throws Exception
     */
    public function execute(Request $request, float $timeout = -1): Response
    {
        $kept = $this->socket !== null;
        if ($kept && !$this->socket->checkLiveness()) {
            $this->disconnect();
        }
        try {
            $this->socket ??= $this->reach($timeout);
            $bytes = (string) $request;
            if ($this->socket->sendAll($bytes, $timeout) !== strlen($bytes)) {
                $this->ioException();
            }
            $records = $this->receive($this->socket, $timeout);
        } catch (Throwable $error) {
            $this->disconnect();
            throw $error;
        }
        if (!$request->getKeepConn()) {
            $this->disconnect();
        }
        return $request instanceof HttpRequest ? new HttpResponse($records) : new Response($records);
    }

    /**
     * "tcp://host:port", "host:port" or "unix:/path" as host and port.
     *
     * @return array{string, int}
     */
    public static function parseUrl(string $url): array
    {
        if (str_starts_with($url, 'unix:')) {
            return ['unix:/' . ltrim(substr($url, strlen('unix:')), '/'), 0];
        }
        $parts = parse_url(str_contains($url, '://') ? $url : "tcp://$url");
        if ($parts === false || !isset($parts['host'])) {
            throw new InvalidArgumentException('The address of a FastCGI application is "host:port" or "unix:/path".');
        }
        return [trim($parts['host'], '[]'), $parts['port'] ?? 9000];
    }

    /**
     * Runs one script and gives its output.
     *
     * @param array<mixed>|string $data the body; an array is sent as a form
     */
    public static function call(string $url, string $path, $data = '', float $timeout = -1): string
    {
        [$host, $port] = self::parseUrl($url);
        $parts = explode('?', $path, 2);
        $request = (new HttpRequest())
            ->withDocumentRoot(dirname($parts[0]))
            ->withScriptFilename($parts[0])
            ->withScriptName($parts[0])
            ->withUri('/' . basename($path))
            ->withQueryString($parts[1] ?? '')
            ->withMethod('POST')
            ->withBody($data);
        return (new self($host, $port))->execute($request, $timeout)->getBody();
    }

    /** @return never */
    protected function ioException(?int $errno = null): void
    {
        $errno ??= $this->socket === null || $this->socket->errCode === 0 ? SOCKET_ECONNRESET : $this->socket->errCode;
        throw new Exception(swoole_strerror($errno), $errno);
    }

    private function reach(float $timeout): Socket
    {
        $socket = new Socket($this->af, SOCK_STREAM, 0);
        if ($this->ssl) {
            $socket->setProtocol(['open_ssl' => true]);
        }
        if (!$socket->connect($this->host, $this->port, $timeout)) {
            $this->ioException($socket->errCode);
        }
        return $socket;
    }

    /** @return list<\Swoole\FastCGI\Record> up to the end of the request */
    private function receive(Socket $socket, float $timeout): array
    {
        $records = [];
        $buffer = '';
        for (;;) {
            while (FrameParser::hasFrame($buffer)) {
                $record = FrameParser::parseFrame($buffer);
                $records[] = $record;
                if ($record instanceof EndRequest) {
                    return $records;
                }
            }
            $piece = $socket->recv(self::MOST_AT_ONCE, $timeout);
            if (!is_string($piece) || $piece === '') {
                $this->ioException($piece === '' ? SOCKET_ECONNRESET : null);
            }
            $buffer .= $piece;
        }
    }

    private function disconnect(): void
    {
        $this->socket?->close();
        $this->socket = null;
    }
}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\client\\exception", "stampede://coroutine/fastcgi_client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI\Client;

/** The application could not be reached or broke off. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\fastcgi\\proxy", "stampede://coroutine/fastcgi_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\FastCGI;

use Swoole\FastCGI\HttpRequest;
use Swoole\FastCGI\HttpResponse;
use Swoole\Http\Request as SwooleHttpRequest;
use Swoole\Http\Response as SwooleHttpResponse;
use Swoole\Http\Status;

/**
 * Puts a server in front of a FastCGI application: requests are passed on, answers come back. Files below the document root
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
     * A function of request and answer that returns true when it has answered; null sends everything to the application.
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
     * Answers the request with what the application says.
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

    /** Sends the file when the request names one that is no script; true when the request has been answered. */
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
               )~~~"
     R"~~~( array_pop($kept);
            } elseif ($part !== '' && $part !== '.') {
                $kept[] = $part;
            }
        }
        $folder = $kept === [] || str_ends_with($path, '/') ? '/' : '';
        return $kept === [] ? '/' : '/' . implode('/', $kept) . $folder;
    }
}
)~~~"},
    {"swoole\\coroutine\\http2\\client\\exception", "stampede://http/http2_client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2\Client;

/** There is no answer. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\http2\\multiplexclient", "stampede://http/multiplex_client.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Http2\Request;
use Swoole\Http2\Response;

/** An HTTP/2 client that any number of coroutines use at once: request() gives each its own answer. */
class MultiplexClient extends Client
{
    public const DEFAULT_HEARTBEAT_CHECK_INTERVAL = 3;
    public const DEFAULT_HEARTBEAT_IDLE_TIME = 10;

    protected ?object $recvLoopToken = null;

    protected ?Channel $sleepChannel = null;

    protected ?Channel $startupBarrier = null;

    /** @var array<int, Channel> */
    protected array $streamChannels = [];

    /** @var array<int, true> */
    protected array $abandonedStreams = [];

    protected bool $heartbeatCheckerRunning = false;

    protected int $pendingRequests = 0;

    protected float $lastActiveTime = 0;

    /** Sends the request and waits for its answer, at most $timeout seconds (-1: without limit); false with $errCode. */
    public function request(Request $request, float $timeout = -1): false|Response
    {
        if (!$this->ensureRecvLoop()) {
            return false;
        }
        $stream = $this->send($request);
        if ($stream === false) {
            return false;
        }
        $this->pendingRequests++;
        $this->lastActiveTime = microtime(true);
        $channel = $this->openStreamChannel($stream);
        $answer = $channel->pop($timeout);
        $this->closeStreamChannel($stream);
        $this->pendingRequests--;
        if ($answer instanceof Response) {
            return $answer;
        }
        if ($channel->errCode === SWOOLE_CHANNEL_TIMEOUT) {
            $this->abandonedStreams[$stream] = true;
            $this->setError(SOCKET_ETIMEDOUT, swoole_strerror(SOCKET_ETIMEDOUT));
        }
        return false;
    }

    public function close(): bool
    {
        $this->recvLoopToken = null;
        $this->sleepChannel?->close();
        $closed = parent::close();
        $this->flushStreamChannels();
        return $closed;
    }

    /** Answers go to those who asked: only request() gives them. */
    public function recv(float $timeout = 0): Response|false
    {
        $this->setError(SWOOLE_ERROR_WRONG_OPERATION, 'recv() is not for a MultiplexClient: use request()');
        return false;
    }

    public function read(float $timeout = 0): Response|false
    {
        return $this->recv($timeout);
    }

    public function write(int $stream_id, mixed $data, bool $end_stream = false): bool
    {
        $this->lastActiveTime = microtime(true);
        return parent::write($stream_id, $data, $end_stream);
    }

    public function goaway(int $error_code = SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): bool
    {
        return parent::goaway($error_code, $debug_data);
    }

    protected function openStreamChannel(int $streamId): Channel
    {
        return $this->streamChannels[$streamId] = new Channel(1);
    }

    protected function closeStreamChannel(int $streamId): void
    {
        unset($this->streamChannels[$streamId]);
    }

    /** Nobody who waits gets an answer any more. */
    protected function flushStreamChannels(): void
    {
        foreach ($this->streamChannels as $channel) {
            $channel->close();
        }
        $this->streamChannels = $this->abandonedStreams = [];
    }

    protected function reconnect(): bool
    {
        parent::close();
        $this->flushStreamChannels();
        return $this->connect();
    }

    /** A connection with a coroutine that receives; those who come while it is being made wait. */
    protected function ensureRecvLoop(): bool
    {
        while ($this->startupBarrier !== null) {
            $this->startupBarrier->pop();
        }
        if ($this->connected && $this->recvLoopToken !== null) {
            return true;
        }
        $this->startupBarrier = new Channel(1);
        $connected = $this->reconnect();
        if ($connected) {
            $token = $this->recvLoopToken = new \stdClass();
            Coroutine::create(function () use ($token): void {
                $this->recvLoop($token);
            });
            $this->ensureHeartbeatChecker();
        }
        $barrier = $this->startupBarrier;
        $this->startupBarrier = null;
        $barrier->close();
        return $connected;
    }

    protected function recvLoop(object $token): void
    {
        while ($this->recvLoopToken === $token) {
            $answer = parent::recv(-1);
            if ($this->recvLoopToken !== $token) {
                return;
            }
            if ($answer === false) {
                break;
            }
            $this->lastActiveTime = microtime(true);
            if (isset($this->streamChannels[$answer->streamId])) {
                $this->streamChannels[$answer->streamId]->push($answer);
            }
            unset($this->abandonedStreams[$answer->streamId]);
        }
        $this->recvLoopToken = null;
        $this->flushStreamChannels();
    }

    /** With the settings heartbeat_check_interval and heartbeat_idle_time: an idle connection is pinged. */
    protected function ensureHeartbeatChecker(): void
    {
        $interval = (float) ($this->setting['heartbeat_check_interval'] ?? self::DEFAULT_HEARTBEAT_CHECK_INTERVAL);
        $idle = (float) ($this->setting['heartbeat_idle_time'] ?? self::DEFAULT_HEARTBEAT_IDLE_TIME);
        if ($interval <= 0 || $this->heartbeatCheckerRunning) {
            return;
        }
        $this->heartbeatCheckerRunning = true;
        Coroutine::create(function () use ($interval, $idle): void {
            while ($this->recvLoopToken !== null) {
                $this->interruptibleSleep($interval);
                if ($this->recvLoopToken !== null && microtime(true) - $this->lastActiveTime >= $idle) {
                    $this->ping();
                }
            }
            $this->heartbeatCheckerRunning = false;
        });
    }

    protected function setError(int $errCode, string $errMsg): void
    {
        $this->errCode = $errCode;
        $this->errMsg = $errMsg;
    }

    /** close() ends it early. */
    protected function interruptibleSleep(float $seconds): void
    {
        $this->sleepChannel = new Channel(1);
        $this->sleepChannel->pop($seconds);
        $this->sleepChannel = null;
    }
}
)~~~"},
    {"swoole\\coroutine\\http\\client\\exception", "stampede://http/client_exception.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http\Client;

/** There is no answer. */
class Exception extends \Swoole\Exception {}
)~~~"},
    {"swoole\\coroutine\\http\\clientproxy", "stampede://http/client_proxy.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

/** What get(), post() and request() give. */
class ClientProxy
{
    /** @var array<string, mixed> */
    private array $headers;

    /** @var array<string, mixed> */
    private array $cookies;

    /**
     * @param array<string, mixed>|null $headers
     * @param array<string, mixed>|null $cookies
     */
    public function __construct(private readonly string $body, private readonly int $statusCode, ?array $headers, ?array $cookies)
    {
        $this->headers = $headers ?? [];
        $this->cookies = $cookies ?? [];
    }

    public function getBody(): string
    {
        return $this->body;
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return array<string, mixed> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return array<string, mixed> */
    public function getCookies(): array
    {
        return $this->cookies;
    }
}
)~~~"},
    {"swoole\\coroutine\\server", "stampede://coroutine/server.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Swoole\Coroutine;
use Swoole\Coroutine\Server\Connection;
use Swoole\Exception;

/** A TCP server that runs in a coroutine: each connection is handed to a function, in a coroutine of its own. */
class Server
{
    /** @var string */
    public $host = '';

    /** @var int */
    public $port = 0;

    /** @var int */
    public $type = AF_INET;

    /** @var int */
    public $fd = -1;

    /** @var int errno or SWOOLE_ERROR_* of a start() that failed */
    public $errCode = 0;

    /** @var array<string, mixed> */
    public $setting = [];

    /** @var bool */
    protected $running = false;

    /** @var callable|null */
    protected $fn;

    /** @var Socket */
    protected $socket;

    /**
     * An IPv4 or IPv6 address or "unix:/path"; port 0 takes a free one.
     *
     * @throws Exception when listening fails
     */
    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false)
    {
        if (str_starts_with($host, 'unix:')) {
            $this->type = AF_UNIX;
            $host = '/' . ltrim(substr($host, strlen('unix:')), '/');
        } elseif (str_contains($host, ':')) {
            $this->type = AF_INET6;
        }
        $this->host = $host;
        $this->socket = new Socket($this->type, SOCK_STREAM, 0);
        if ($reuse_port) {
            $this->socket->setOption(SOL_SOCKET, SO_REUSEPORT, 1);
        }
        if (!$this->socket->bind($host, $port)) {
            throw new Exception("bind($host:$port) failed, Error: " . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        if (!$this->socket->listen()) {
            throw new Exception('listen() failed, Error: ' . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        $name = $this->socket->getsockname();
        $this->port = $this->type === AF_UNIX || !is_array($name) ? 0 : $name['port'];
        $this->fd = $this->socket->fd;
        $this->setting['open_ssl'] = $ssl;
    }

    /**
     * Framing and TLS of the connections, as Socket::setProtocol() takes them.
     *
     * @param array<string, mixed> $setting
     */
    public function set(array $setting): void
    {
        $this->setting = array_merge($this->setting, $setting);
    }

    /** The function gets a Swoole\Coroutine\Server\Connection. */
    public function handle(callable $fn): void
    {
        $this->fn = $fn;
    }

    /** Accepts nothing more: start() returns. Connections go on. */
    public function shutdown(): bool
    {
        $this->running = false;
        return $this->socket->cancel();
    }

    /** Serves until shutdown(); false with $errCode when accepting failed. */
    public function start(): bool
    {
        $this->running = true;
        if ($this->fn === null) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        if (!$this->socket->setProtocol($this->setting)) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        while ($this->running) {
            $socket = $this->socket->accept(-1);
            if ($socket !== false) {
                $socket->setProtocol($this->setting);
                if (Coroutine::create([$this, 'serve'], $socket) === false) {
                    $socket->close();
                    Coroutine::sleep(0.1);
                }
                continue;
            }
            if ($this->wasStopped()) {
                break;
            }
            if (!$this->outlast($this->socket->errCode)) {
                $this->errCode = $this->socket->errCode;
                $this->running = false;
                return false;
            }
        }
        return true;
    }

    /** @internal */
    public function serve(Socket $socket): void
    {
        if (!empty($this->setting['open_ssl']) && !$socket->sslHandshake()) {
            $socket->close();
            return;
        }
        ($this->fn)(new Connection($socket));
    }

    /** @phpstan-impure another coroutine stops it */
    private function wasStopped(): bool
    {
        return !$this->running;
    }

    /** Whether accepting may be tried again after this error; waits a little where that helps. */
    private function outlast(int $errCode): bool
    {
        if (in_array($errCode, [SOCKET_EMFILE, SOCKET_ENFILE], true)) {
            Coroutine::sleep(0.1);
            return true;
        }
        return in_array($errCode, [SOCKET_ETIMEDOUT, SOCKET_ECONNABORTED, SOCKET_EINTR, SOCKET_EAGAIN], true);
    }
}
)~~~"},
    {"swoole\\coroutine\\server\\connection", "stampede://coroutine/server_connection.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Server;

use Swoole\Coroutine\Socket;

/** A connection of a Swoole\Coroutine\Server. */
class Connection
{
    /** @var Socket */
    protected $socket;

    public function __construct(Socket $conn)
    {
        $this->socket = $conn;
    }

    /**
     * What has come, a packet at a time when the server has a framing; '' when the peer has closed, false on an error.
     * Waits at most $timeout seconds (0: the socket's, -1: without limit).
     *
     * @return string|false
     */
    public function recv(float $timeout = 0)
    {
        return $this->socket->recvPacket($timeout);
    }

    /**
     * Sends everything.
     *
     * @return int|false
     */
    public function send(string $data)
    {
        return $this->socket->sendAll($data);
    }

    public function close(): bool
    {
        return $this->socket->close();
    }

    public function exportSocket(): Socket
    {
        return $this->socket;
    }
}
)~~~"},
    {"swoole\\fastcgi", "stampede://fastcgi/fastcgi.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

/** The numbers of the FastCGI protocol, version 1. */
class FastCGI
{
    public const HEADER_LEN = 8;
    public const HEADER_FORMAT = 'Cversion/Ctype/nrequestId/ncontentLength/CpaddingLength/Creserved';
    public const MAX_CONTENT_LENGTH = 65535;
    public const VERSION_1 = 1;
    public const BEGIN_REQUEST = 1;
    public const ABORT_REQUEST = 2;
    public const END_REQUEST = 3;
    public const PARAMS = 4;
    public const STDIN = 5;
    public const STDOUT = 6;
    public const STDERR = 7;
    public const DATA = 8;
    public const GET_VALUES = 9;
    public const GET_VALUES_RESULT = 10;
    public const UNKNOWN_TYPE = 11;
    public const DEFAULT_REQUEST_ID = 1;
    public const KEEP_CONN = 1;
    public const RESPONDER = 1;
    public const AUTHORIZER = 2;
    public const FILTER = 3;
    public const REQUEST_COMPLETE = 0;
    public const CANT_MPX_CONN = 1;
    public const OVERLOADED = 2;
    public const UNKNOWN_ROLE = 3;
}
)~~~"},
    {"swoole\\fastcgi\\frameparser", "stampede://fastcgi/frame_parser.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use DomainException;
use RuntimeException;
use Swoole\FastCGI;

/** Takes records off the front of what has come. */
class FrameParser
{
    /** @var array<int, class-string<Record>> */
    protected static array $classMapping = [
        FastCGI::BEGIN_REQUEST => Record\BeginRequest::class,
        FastCGI::ABORT_REQUEST => Record\AbortRequest::class,
        FastCGI::END_REQUEST => Record\EndRequest::class,
        FastCGI::PARAMS => Record\Params::class,
        FastCGI::STDIN => Record\Stdin::class,
        FastCGI::STDOUT => Record\Stdout::class,
        FastCGI::STDERR => Record\Stderr::class,
        FastCGI::DATA => Record\Data::class,
        FastCGI::GET_VALUES => Record\GetValues::class,
        FastCGI::GET_VALUES_RESULT => Record\GetValuesResult::class,
        FastCGI::UNKNOWN_TYPE => Record\UnknownType::class,
    ];

    /** Whether the bytes begin with a whole record. */
    public static function hasFrame(string $binaryBuffer): bool
    {
        return self::sizeOf($binaryBuffer) <= strlen($binaryBuffer);
    }

    /**
     * The first record; its bytes are taken off.
     *
     * @throws RuntimeException when there is no whole one
     * @throws DomainException when its type is none of the protocol
     */
    public static function parseFrame(string &$binaryBuffer): Record
    {
        $size = self::sizeOf($binaryBuffer);
        if ($size > strlen($binaryBuffer)) {
            throw new RuntimeException('There is no whole FastCGI record: receive more first.');
        }
        $class = self::$classMapping[ord($binaryBuffer[1])] ?? null;
        if ($class === null) {
            throw new DomainException('A FastCGI record has the unknown type ' . ord($binaryBuffer[1]) . '.');
        }
        $record = $class::unpack(substr($binaryBuffer, 0, $size));
        $binaryBuffer = substr($binaryBuffer, $size);
        return $record;
    }

    private static function sizeOf(string $bytes): int
    {
        if (strlen($bytes) < FastCGI::HEADER_LEN) {
            return PHP_INT_MAX;
        }
        return FastCGI::HEADER_LEN + (ord($bytes[4]) << 8 | ord($bytes[5])) + ord($bytes[6]);
    }
}
)~~~"},
    {"swoole\\fastcgi\\httprequest", "stampede://fastcgi/http_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;

/** A request with the parameters of CGI (RFC 3875). */
class HttpRequest extends Request
{
    /** @var array<string, string> */
    protected array $params = [
        'REQUEST_SCHEME' => 'http',
        'REQUEST_METHOD' => 'GET',
        'DOCUMENT_ROOT' => '',
        'SCRIPT_FILENAME' => '',
        'SCRIPT_NAME' => '',
        'DOCUMENT_URI' => '/',
        'REQUEST_URI' => '/',
        'QUERY_STRING' => '',
        'CONTENT_TYPE' => 'text/plain',
        'CONTENT_LENGTH' => '0',
        'GATEWAY_INTERFACE' => 'CGI/1.1',
        'SERVER_PROTOCOL' => 'HTTP/1.1',
        'SERVER_SOFTWARE' => 'swoole/' . SWOOLE_VERSION,
        'REMOTE_ADDR' => 'unknown',
        'REMOTE_PORT' => '0',
        'SERVER_ADDR' => 'unknown',
        'SERVER_PORT' => '0',
        'SERVER_NAME' => 'Swoole',
        'REDIRECT_STATUS' => '200',
    ];

    public function getScheme(): ?string
    {
        return $this->params['REQUEST_SCHEME'] ?? null;
    }

    /** @return static */
    public function withScheme(string $scheme): self
    {
        return $this->withParam('REQUEST_SCHEME', $scheme);
    }

    public function withoutScheme(): void
    {
        unset($this->params['REQUEST_SCHEME']);
    }

    public function getMethod(): ?string
    {
        return $this->params['REQUEST_METHOD'] ?? null;
    }

    /** @return static */
    public function withMethod(string $method): self
    {
        return $this->withParam('REQUEST_METHOD', $method);
    }

    public function withoutMethod(): void
    {
        unset($this->params['REQUEST_METHOD']);
    }

    public function getDocumentRoot(): ?string
    {
        return $this->params['DOCUMENT_ROOT'] ?? null;
    }

    /** @return static */
    public function withDocumentRoot(string $documentRoot): self
    {
        return $this->withParam('DOCUMENT_ROOT', $documentRoot);
    }

    public function withoutDocumentRoot(): void
    {
        unset($this->params['DOCUMENT_ROOT']);
    }

    public function getScriptFilename(): ?string
    {
        return $this->params['SCRIPT_FILENAME'] ?? null;
    }

    /** @return static */
    public function withScriptFilename(string $scriptFilename): self
    {
        return $this->withParam('SCRIPT_FILENAME', $scriptFilename);
    }

    public function withoutScriptFilename(): void
    {
        unset($this->params['SCRIPT_FILENAME']);
    }

    public function getScriptName(): ?string
    {
        return $this->params['SCRIPT_NAME'] ?? null;
    }

    /** @return static */
    public function withScriptName(string $scriptName): self
    {
        return $this->withParam('SCRIPT_NAME', $scriptName);
    }

    public function withoutScriptName(): void
    {
        unset($this->params['SCRIPT_NAME']);
    }

    public function getDocumentUri(): ?string
    {
        return $this->params['DOCUMENT_URI'] ?? null;
    }

    /** @return static */
    public function withDocumentUri(string $documentUri): self
    {
        return $this->withParam('DOCUMENT_URI', $documentUri);
    }

    public function withoutDocumentUri(): void
    {
        unset($this->params['DOCUMENT_URI']);
    }

    public function getRequestUri(): ?string
    {
        return $this->params['REQUEST_URI'] ?? null;
    }

    /** @return static */
    public function withRequestUri(string $requestUri): self
    {
        return $this->withParam('REQUEST_URI', $requestUri);
    }

    public function withoutRequestUri(): void
    {
        unset($this->params['REQUEST_URI']);
    }

    public function getQueryString(): ?string
    {
        return $this->params['QUERY_STRING'] ?? null;
    }

    /** @return static */
    public function withQueryString(string $queryString): self
    {
        return $this->withParam('QUERY_STRING', $queryString);
    }

    public function withoutQueryString(): void
    {
        unset($this->params['QUERY_STRING']);
    }

    public function getContentType(): ?string
    {
        return $this->params['CONTENT_TYPE'] ?? null;
    }

    /** @return static */
    public function withContentType(string $contentType): self
    {
        return $this->withParam('CONTENT_TYPE', $contentType);
    }

    public function withoutContentType(): void
    {
        unset($this->params['CONTENT_TYPE']);
    }

    public function getContentLength(): ?int
    {
        return isset($this->params['CONTENT_LENGTH']) ? (int) $this->params['CONTENT_LENGTH'] : null;
    }

    /** @return static */
    public function withContentLength(int $contentLength): self
    {
        return $this->withParam('CONTENT_LENGTH', (string) $contentLength);
    }

    public function withoutContentLength(): void
    {
        unset($this->params['CONTENT_LENGTH']);
    }

    public function getGatewayInterface(): ?string
    {
        return $this->params['GATEWAY_INTERFACE'] ?? null;
    }

    /** @return static */
    public function withGatewayInterface(string $gatewayInterface): self
    {
        return $this->withParam('GATEWAY_INTERFACE', $gatewayInterface);
    }

    public function withoutGatewayInterface(): void
    {
        unset($this->params['GATEWAY_INTERFACE']);
    }

    public function getServerProtocol(): ?string
    {
        return $this->params['SERVER_PROTOCOL'] ?? null;
    }

    /** @return static */
    public function withServerProtocol(string $serverProtocol): self
    {
        return $this->withParam('SERVER_PROTOCOL', $serverProtocol);
    }

    public function withoutServerProtocol(): void
    {
        unset($this->params['SERVER_PROTOCOL']);
    }

    public function getServerSoftware(): ?string
    {
        return $this->params['SERVER_SOFTWARE'] ?? null;
    }

    /** @return static */
    public function withServerSoftware(string $serverSoftware): self
    {
        return $this->withParam('SERVER_SOFTWARE', $serverSoftware);
    }

    public function withoutServerSoftware(): void
    {
        unset($this->params['SERVER_SOFTWARE']);
    }

    public function getRemoteAddr(): ?string
    {
        return $this->params['REMOTE_ADDR'] ?? null;
    }

    /** @return static */
    public function withRemoteAddr(string $remoteAddr): self
    {
        return $this->withParam('REMOTE_ADDR', $remoteAddr);
    }

    public function withoutRemoteAddr(): void
    {
        unset($this->params['REMOTE_ADDR']);
    }

    public function getRemotePort(): ?int
    {
        return isset($this->params['REMOTE_PORT']) ? (int) $this->params['REMOTE_PORT'] : null;
    }

    /** @return static */
    public function withRemotePort(int $remotePort): self
    {
        return $this->withParam('REMOTE_PORT', (string) $remotePort);
    }

    public function withoutRemotePort(): void
    {
        unset($this->params['REMOTE_PORT']);
    }

    public function getServerAddr(): ?string
    {
        return $this->params['SERVER_ADDR'] ?? null;
    }

    /** @return static */
    public function withServerAddr(string $serverAddr): self
    {
        return $this->withParam('SERVER_ADDR', $serverAddr);
    }

    public function withoutServerAddr(): void
    {
        unset($this->params['SERVER_ADDR']);
    }

    public function getServerPort(): ?int
    {
        return isset($this->params['SERVER_PORT']) ? (int) $this->params['SERVER_PORT'] : null;
    }

    /** @return static */
    public function withServerPort(int $serverPort): self
    {
        return $this->withParam('SERVER_PORT', (string) $serverPort);
    }

    public function withoutServerPort(): void
    {
        unset($this->params['SERVER_PORT']);
    }

    public function getServerName(): ?string
    {
        return $this->params['SERVER_NAME'] ?? null;
    }

    /** @return static */
    public function withServerName(string $serverName): self
    {
        return $this->withParam('SERVER_NAME', $serverName);
    }

    public function withoutServerName(): void
    {
        unset($this->params['SERVER_NAM)~~~"
     R"~~~(E']);
    }

    public function getRedirectStatus(): ?string
    {
        return $this->params['REDIRECT_STATUS'] ?? null;
    }

    /** @return static */
    public function withRedirectStatus(string $redirectStatus): self
    {
        return $this->withParam('REDIRECT_STATUS', $redirectStatus);
    }

    public function withoutRedirectStatus(): void
    {
        unset($this->params['REDIRECT_STATUS']);
    }

    /**
     * Path and query at once.
     *
     * @return static
     */
    public function withUri(string $uri): self
    {
        $parts = explode('?', $uri, 2);
        return $this->withRequestUri($uri)->withDocumentUri($parts[0])->withQueryString($parts[1] ?? '');
    }

    /**
     * @param array<mixed>|string $query
     * @return static
     */
    public function withQuery(array|string $query): self
    {
        return $this->withQueryString(is_array($query) ? http_build_query($query) : $query);
    }

    /** @return static */
    public function withProtocolVersion(string $protocolVersion): self
    {
        if (!is_numeric($protocolVersion)) {
            throw new \InvalidArgumentException('The version of HTTP is a number such as 1.1.');
        }
        return $this->withServerProtocol("HTTP/$protocolVersion");
    }

    public function getHeader(string $name): ?string
    {
        return $this->params[static::convertHeaderNameToParamName($name)] ?? null;
    }

    /** @return static */
    public function withHeader(string $name, string $value): self
    {
        return $this->withParam(static::convertHeaderNameToParamName($name), $value);
    }

    public function withoutHeader(string $name): void
    {
        unset($this->params[static::convertHeaderNameToParamName($name)]);
    }

    /** @return array<string, string> */
    public function getHeaders(): array
    {
        $headers = [];
        foreach ($this->params as $name => $value) {
            if (str_starts_with($name, 'HTTP_')) {
                $headers[static::convertParamNameToHeaderName($name)] = $value;
            }
        }
        return $headers;
    }

    /**
     * @param array<string, string> $headers
     * @return static
     */
    public function withHeaders(array $headers): self
    {
        foreach ($headers as $name => $value) {
            $this->withHeader((string) $name, $value);
        }
        return $this;
    }

    /**
     * An array is sent as a form; type and length follow from the body.
     *
     * @param array<mixed>|string|Stringable $body
     * @return static
     */
    public function withBody(array|string|Stringable $body): self
    {
        if (is_array($body)) {
            $body = http_build_query($body);
            $this->withContentType('application/x-www-form-urlencoded');
        }
        parent::withBody($body);
        return $this->withContentLength(strlen($this->body));
    }

    /**
     * @param string $name
     * @return string
     */
    protected static function convertHeaderNameToParamName($name)
    {
        return 'HTTP_' . strtoupper(strtr($name, '-', '_'));
    }

    /**
     * @param string $name
     * @return string
     */
    protected static function convertParamNameToHeaderName($name)
    {
        return ucwords(strtolower(strtr(substr($name, 5), '_', '-')), '-');
    }
}
)~~~"},
    {"swoole\\fastcgi\\httpresponse", "stampede://fastcgi/http_response.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Swoole\Http\Status;

/** An answer with the header fields of CGI taken off its body. */
class HttpResponse extends Response
{
    /** @var int */
    protected $statusCode;

    /** @var string */
    protected $reasonPhrase;

    /** @var array<string, string> */
    protected array $headers = [];

    /** @var array<string, string> names in lower case to names as they came */
    protected array $headersMap = [];

    /** @var list<string> */
    protected array $setCookieHeaderLines = [];

    /** @param list<Record> $records */
    public function __construct(array $records = [])
    {
        $this->withStatusCode(Status::OK);
        if ($records === []) {
            return;
        }
        parent::__construct($records);
        $end = strpos($this->body, "\r\n\r\n");
        if ($end === false) {
            $this->withStatusCode(Status::BAD_GATEWAY)->withError($this->body);
            return;
        }
        $lines = explode("\r\n", substr($this->body, 0, $end));
        $this->body = substr($this->body, $end + 4);
        foreach ($lines as $line) {
            $this->takeLine($line);
        }
    }

    public function getStatusCode(): int
    {
        return $this->statusCode;
    }

    /** @return static */
    public function withStatusCode(int $statusCode): self
    {
        $this->statusCode = $statusCode;
        return $this->withReasonPhrase(Status::getReasonPhrase($statusCode));
    }

    public function getReasonPhrase(): string
    {
        return $this->reasonPhrase;
    }

    /** @return static */
    public function withReasonPhrase(string $reasonPhrase): self
    {
        $this->reasonPhrase = $reasonPhrase;
        return $this;
    }

    public function getHeader(string $name): ?string
    {
        $name = $this->headersMap[strtolower($name)] ?? null;
        return $name === null ? null : $this->headers[$name];
    }

    /** @return array<string, string> */
    public function getHeaders(): array
    {
        return $this->headers;
    }

    /** @return static */
    public function withHeader(string $name, string $value): self
    {
        $name = $this->headersMap[strtolower($name)] ??= $name;
        $this->headers[$name] = $value;
        return $this;
    }

    /**
     * @param array<string, string> $headers
     * @return static
     */
    public function withHeaders(array $headers): self
    {
        foreach ($headers as $name => $value) {
            $this->withHeader((string) $name, $value);
        }
        return $this;
    }

    /** @return list<string> */
    public function getSetCookieHeaderLines(): array
    {
        return $this->setCookieHeaderLines;
    }

    /** @return static */
    public function withSetCookieHeaderLine(string $value): self
    {
        $this->setCookieHeaderLines[] = $value;
        return $this;
    }

    private function takeLine(string $line): void
    {
        $parts = explode(':', $line, 2);
        if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [$parts[0], trim($parts[1])];
        if (strcasecmp($name, 'Status') === 0) {
            [$code, $reason] = explode(' ', $value, 2) + [1 => ''];
            $this->withStatusCode((int) $code);
            if ($reason !== '') {
                $this->withReasonPhrase($reason);
            }
        } elseif (strcasecmp($name, 'Set-Cookie') === 0) {
            $this->withSetCookieHeaderLine($value);
        } else {
            $this->withHeader($name, $value);
        }
    }
}
)~~~"},
    {"swoole\\fastcgi\\message", "stampede://fastcgi/message.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;

/** What requests and answers have: parameters, a body, a report of errors. */
class Message
{
    /** @var array<string, string> */
    protected array $params = [];

    protected string $body = '';

    protected string $error = '';

    public function getParam(string $name): ?string
    {
        return $this->params[$name] ?? null;
    }

    public function withParam(string $name, string $value): static
    {
        $this->params[$name] = $value;
        return $this;
    }

    public function withoutParam(string $name): static
    {
        unset($this->params[$name]);
        return $this;
    }

    /** @return array<string, string> */
    public function getParams(): array
    {
        return $this->params;
    }

    /** @param array<string, string> $params */
    public function withParams(array $params): static
    {
        $this->params = $params;
        return $this;
    }

    /** @param array<string, string> $params */
    public function withAddedParams(array $params): static
    {
        $this->params = $params + $this->params;
        return $this;
    }

    public function getBody(): string
    {
        return $this->body;
    }

    /** @return static */
    public function withBody(string|Stringable $body): self
    {
        $this->body = (string) $body;
        return $this;
    }

    public function getError(): string
    {
        return $this->error;
    }

    public function withError(string $error): static
    {
        $this->error = $error;
        return $this;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record", "stampede://fastcgi/record.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;
use Stringable;
use Swoole\FastCGI;

/** One record of the protocol: a header and up to 65535 bytes of content. */
class Record implements Stringable
{
    protected int $version = FastCGI::VERSION_1;

    protected int $type = FastCGI::UNKNOWN_TYPE;

    protected int $requestId = FastCGI::DEFAULT_REQUEST_ID;

    protected int $reserved = 0;

    private string $contentData = '';

    /** The record as bytes, filled up to a multiple of eight. */
    final public function __toString(): string
    {
        $content = $this->packPayload();
        $padding = -strlen($content) & 7;
        $header = pack('CCnnCC', $this->version, $this->type, $this->requestId, strlen($content), $padding, $this->reserved);
        return $header . $content . str_repeat("\0", $padding);
    }

    /** The record of these bytes. */
    final public static function unpack(string $binaryData): static
    {
        $header = strlen($binaryData) < FastCGI::HEADER_LEN ? false : unpack(FastCGI::HEADER_FORMAT, $binaryData);
        if ($header === false || strlen($binaryData) < FastCGI::HEADER_LEN + $header['contentLength']) {
            throw new InvalidArgumentException('The bytes are no whole FastCGI record.');
        }
        $self = (new \ReflectionClass(static::class))->newInstanceWithoutConstructor();
        $self->version = $header['version'];
        $self->type = $header['type'];
        $self->requestId = $header['requestId'];
        $self->reserved = $header['reserved'];
        $content = substr($binaryData, FastCGI::HEADER_LEN, $header['contentLength']);
        $self->setContentData($content);
        static::unpackPayload($self, $content);
        return $self;
    }

    /** @return static */
    public function setContentData(string $data): self
    {
        if (strlen($data) > FastCGI::MAX_CONTENT_LENGTH) {
            throw new InvalidArgumentException('A FastCGI record holds at most ' . FastCGI::MAX_CONTENT_LENGTH . ' bytes.');
        }
        $this->contentData = $data;
        return $this;
    }

    public function getContentData(): string
    {
        return $this->contentData;
    }

    public function getVersion(): int
    {
        return $this->version;
    }

    public function getType(): int
    {
        return $this->type;
    }

    public function getRequestId(): int
    {
        return $this->requestId;
    }

    /** @return static */
    public function setRequestId(int $requestId): self
    {
        $this->requestId = $requestId;
        return $this;
    }

    final public function getContentLength(): int
    {
        return strlen($this->packPayload());
    }

    final public function getPaddingLength(): int
    {
        return -$this->getContentLength() & 7;
    }

    /** Reads what the content says into the record. */
    protected static function unpackPayload(self $self, string $binaryData): void {}

    protected function packPayload(): string
    {
        return $this->contentData;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\abortrequest", "stampede://fastcgi/record_abort_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Asks to end a request early. */
class AbortRequest extends Record
{
    public function __construct(int $requestId)
    {
        $this->type = FastCGI::ABORT_REQUEST;
        $this->setRequestId($requestId);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\beginrequest", "stampede://fastcgi/record_begin_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Begins a request: what the application shall do, and whether the connection stays. */
class BeginRequest extends Record
{
    protected int $role = FastCGI::UNKNOWN_ROLE;

    protected int $flags = 0;

    protected string $reserved1 = '';

    public function __construct(int $role = FastCGI::UNKNOWN_ROLE, int $flags = 0, string $reserved = '')
    {
        $this->type = FastCGI::BEGIN_REQUEST;
        $this->role = $role;
        $this->flags = $flags;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getRole(): int
    {
        return $this->role;
    }

    public function getFlags(): int
    {
        return $this->flags;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('nrole/Cflags/a5reserved', $binaryData);
        if ($fields !== false) {
            $self->role = $fields['role'];
            $self->flags = $fields['flags'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('nCa5', $this->role, $this->flags, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\data", "stampede://fastcgi/record_data.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** More input of a filter. */
class Data extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::DATA;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\endrequest", "stampede://fastcgi/record_end_request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Ends a request. */
class EndRequest extends Record
{
    protected int $appStatus = 0;

    protected int $protocolStatus = FastCGI::REQUEST_COMPLETE;

    protected string $reserved1 = '';

    public function __construct(int $protocolStatus = FastCGI::REQUEST_COMPLETE, int $appStatus = 0, string $reserved = '')
    {
        $this->type = FastCGI::END_REQUEST;
        $this->protocolStatus = $protocolStatus;
        $this->appStatus = $appStatus;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getAppStatus(): int
    {
        return $this->appStatus;
    }

    public function getProtocolStatus(): int
    {
        return $this->protocolStatus;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Napp/Cprotocol/a3reserved', $binaryData);
        if ($fields !== false) {
            $self->appStatus = $fields['app'];
            $self->protocolStatus = $fields['protocol'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('NCa3', $this->appStatus, $this->protocolStatus, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\getvalues", "stampede://fastcgi/record_get_values.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** Asks the application about itself. */
class GetValues extends Params
{
    /** @param list<string> $keys */
    public function __construct(array $keys)
    {
        parent::__construct(array_fill_keys($keys, ''));
        $this->type = FastCGI::GET_VALUES;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\getvaluesresult", "stampede://fastcgi/record_get_values_result.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** What the application says about itself. */
class GetValuesResult extends Params
{
    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        parent::__construct($values);
        $this->type = FastCGI::GET_VALUES_RESULT;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\params", "stampede://fastcgi/record_params.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Names and values for the application. */
class Params extends Record
{
    /** @var array<string, string> */
    protected array $values = [];

    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        $this->type = FastCGI::PARAMS;
        foreach ($values as $name => $value) {
            $this->values[(string) $name] = self::text($value);
        }
        $this->setContentData($this->packPayload());
    }

    /** @return array<string, string> */
    public function getValues(): array
    {
        return $this->values;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $at = 0;
        while ($at < strlen($binaryData)) {
            $nameLength = self::readLength($binaryData, $at);
            $valueLength = self::readLength($binaryData, $at);
            if ($nameLength + $valueLength > strlen($binaryData) - $at) {
                return;  // goes on in the next record
            }
            $self->values[substr($binaryData, $at, $nameLength)] = substr($binaryData, $at + $nameLength, $valueLength);
            $at += $nameLength + $valueLength;
        }
    }

    protected function packPayload(): string
    {
        $content = '';
        foreach ($this->values as $name => $value) {
            $content .= self::length((string) $name) . self::length($value) . $name . $value;
        }
        return $content;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) || $value instanceof \Stringable ? (string) $value : '';
    }

    private static function length(string $text): string
    {
        $length = strlen($text);
        return $length > 127 ? pack('N', $length | 0x80000000) : chr($length);
    }

    private static function readLength(string $bytes, int &$at): int
    {
        $first = ord($bytes[$at] ?? "\0");
        if ($first < 128) {
            $at++;
            return $first;
        }
        $fields = unpack('Nlength', str_pad(substr($bytes, $at, 4), 4, "\0"));
        $at += 4;
        return $fields === false ? 0 : $fields['length'] & 0x7fffffff;
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stderr", "stampede://fastcgi/record_stderr.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of what the application reports. */
class Stderr extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDERR;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stdin", "stampede://fastcgi/record_stdin.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the request's body. */
class Stdin extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDIN;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\stdout", "stampede://fastcgi/record_stdout.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the answer. */
class Stdout extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDOUT;
        $this->setContentData($contentData);
    }
}
)~~~"},
    {"swoole\\fastcgi\\record\\unknowntype", "stampede://fastcgi/record_unknown_type.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** The answer to a record whose type the application does not know. */
class UnknownType extends Record
{
    protected int $type1 = 0;

    protected string $reserved1 = '';

    public function __construct(int $type, string $reserved = '')
    {
        $this->type = FastCGI::UNKNOWN_TYPE;
        $this->type1 = $type;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getUnrecognizedType(): int
    {
        return $this->type1;
    }

    public static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Ctype/a7reserved', $binaryData);
        if ($fields !== false) {
            $self->type1 = $fields['type'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('Ca7', $this->type1, $this->reserved1);
    }
}
)~~~"},
    {"swoole\\fastcgi\\request", "stampede://fastcgi/request.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;
use Swoole\FastCGI;

/** A request to a responder; as a string the records that say it. */
class Request extends Message implements Stringable
{
    protected bool $keepConn = false;

    public function __toString(): string
    {
        $out = (string) new Record\BeginRequest(FastCGI::RESPONDER, $this->keepConn ? FastCGI::KEEP_CONN : 0);
        $params = '';
        foreach ($this->params as $name => $value) {
            $params .= (new Record\Params([$name => $value]))->getContentData();
        }
        foreach (self::pieces($params) as $piece) {
            $out .= self::record(FastCGI::PARAMS, $piece);
        }
        $out .= self::record(FastCGI::PARAMS, '');
        foreach (self::pieces($this->body) as $piece) {
            $out .= self::record(FastCGI::STDIN, $piece);
        }
        return $out . self::record(FastCGI::STDIN, '');
    }

    /** Whether the application shall keep the connection. */
    public function getKeepConn(): bool
    {
        return $this->keepConn;
    }

    /** @return static */
    public function withKeepConn(bool $keepConn): self
    {
        $this->keepConn = $keepConn;
        return $this;
    }

    /** @return list<string> */
    private static function pieces(string $bytes): array
    {
        return $bytes === '' ? [] : str_split($bytes, FastCGI::MAX_CONTENT_LENGTH);
    }

    private static function record(int $type, string $content): string
    {
        $padding = -strlen($content) & 7;
        return pack('CCnnCC', FastCGI::VERSION_1, $type, FastCGI::DEFAULT_REQUEST_ID, strlen($content), $padding, 0)
            . $content . str_repeat("\0", $padding);
    }
}
)~~~"},
    {"swoole\\fastcgi\\response", "stampede://fastcgi/response.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;

/** An answer, put together from its records. */
class Response extends Message
{
    /**
     * @param list<Record> $records
     * @throws InvalidArgumentException when they do not end with the end of the request
     */
    public function __construct(array $records)
    {
        if (!static::verify($records)) {
            throw new InvalidArgumentException('The records do not end with an EndRequest: the answer is not complete.');
        }
        $body = $error = '';
        foreach ($records as $record) {
            if ($record instanceof Record\Stdout) {
                $body .= $record->getContentData();
            } elseif ($record instanceof Record\Stderr) {
                $error .= $record->getContentData();
            }
        }
        $this->body = $body;
        $this->error = $error;
    }

    /** @param list<Record> $records */
    protected static function verify(array $records): bool
    {
        return end($records) instanceof Record\EndRequest;
    }
}
)~~~"},
};
// clang-format on

}  // namespace stampede::library
