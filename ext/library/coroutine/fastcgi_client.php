<?php

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
     * Sends the request and waits for its response, at most $timeout seconds for each step (-1: without limit). An
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
