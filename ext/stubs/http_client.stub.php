<?php

/** @generate-class-entries */

namespace Swoole\Coroutine\Http;

/**
 * An HTTP/1.1 and WebSocket client whose waiting is the coroutine's. A connection is kept between requests; one that the
 * server has closed meanwhile is noticed, and a request that met its end before any response is sent again once when that
 * does no harm (GET, HEAD, OPTIONS, PUT, DELETE, TRACE). One request at a time: another coroutine that uses the object
 * meanwhile gets a Swoole\Error.
 *
 * A request that fails returns false with $errCode (an errno or SWOOLE_ERROR_* number), $errMsg and a negative
 * $statusCode: SWOOLE_HTTP_CLIENT_ESTATUS_CONNECT_FAILED, _REQUEST_TIMEOUT, _SERVER_RESET or _SEND_FAILED.
 */
class Client
{
    /** @var \Swoole\Coroutine\Socket|null Of the connection, while there is one: for what is read and sent past the client. */
    public $socket = null;
    /** @var int errno or SWOOLE_ERROR_*; 0 after success. */
    public $errCode = 0;
    /** @var string */
    public $errMsg = '';
    /** @var bool */
    public $connected = false;
    /** @var string */
    public $host = '';
    /** @var int */
    public $port = 0;
    /** @var bool */
    public $ssl = false;
    /** @var array|null What set() was given. */
    public $setting = null;
    /** @var string|null Null: POST when there is a body, else GET. */
    public $requestMethod = null;
    /** @var array|null */
    public $requestHeaders = null;
    /** @var array|string|null Of every request until another one is set. */
    public $requestBody = null;
    /** @var array|null Of the next request. */
    public $uploadFiles = null;
    /** @var string|null Where the body of the next response goes. */
    public $downloadFile = null;
    /** @var int */
    public $downloadOffset = 0;
    /** @var int Of the last response; negative when there was none. */
    public $statusCode = 0;
    /** @var array|null Of the last response, names in lower case; a list where a name came several times. */
    public $headers = null;
    /** @var array|null The Set-Cookie values of the last response. */
    public $set_cookie_headers = null;
    /** @var array|null Sent with every request; responses add theirs. */
    public $cookies = null;
    /** @var string Of the last response, decoded. */
    public $body = '';

    /** A host name, an address or "unix:/path"; port 0 is 80, with $ssl 443. */
    public function __construct(string $host, int $port = 0, bool $ssl = false) {}

    public function __destruct() {}

    /**
     * Times in seconds, -1 for no limit: timeout (whole request, none; also the connect_timeout unless that is set after it),
     * connect_timeout (10), read_timeout and write_timeout (60 for each wait); keep_alive (true),
     * max_retries (1), defer, http_compression (true), body_decompression (true), lowercase_header (true),
     * package_max_length (128 MiB; of a body, also decoded; a number of bytes or "8M"), write_func (function
     * (Client $client, string $piece), which gets the body in pieces; false ends the request), http_proxy_host, _port,
     * _user, _password, socks5_host, _port, _username, _password, bind_address, bind_port, the ssl_* settings,
     * websocket_compression (false; frames are masked always), open_websocket_ping_frame, open_websocket_pong_frame (false:
     * recv() keeps them to itself), open_websocket_close_frame (false: recv() gives an empty string).
     */
    public function set(array $settings): bool {}

    public function getDefer(): bool {}

    /** With it requests return once they are sent, and recv() waits for the response. */
    public function setDefer(bool $defer = true): bool {}

    public function setMethod(string $method): bool {}

    /** @param array $headers name => value; a null value leaves the field out */
    public function setHeaders(array $headers): bool {}

    public function setBasicAuth(string $username, string $password): void {}

    public function setCookies(array $cookies): bool {}

    /** @param array|string $data an array is sent as a form */
    public function setData($data): bool {}

    /** A file of the next request's multipart form. False, with a warning, when it cannot be read. */
    public function addFile(string $path, string $name, ?string $type = null, ?string $filename = null, int $offset = 0, int $length = 0): bool {}

    /** As addFile(), with the content itself. */
    public function addData(string $path, string $name, ?string $type = null, ?string $filename = null): bool {}

    /** One request with what was set. Method and body stay for the next one, added files do not. */
    public function execute(string $path): bool {}

    public function getpeername(): array|false {}

    public function getsockname(): array|false {}

    public function get(string $path): bool {}

    public function post(string $path, mixed $data): bool {}

    /** The response's body goes to the file, from $offset on; with 0 the file is emptied first. */
    public function download(string $path, string $file, int $offset = 0): bool {}

    public function getBody(): string|false {}

    public function getHeaders(): array|false|null {}

    public function getCookies(): array|false|null {}

    public function getStatusCode(): int|false {}

    /** The head of the last request as it was sent. */
    public function getHeaderOut(): string|false {}

    /** PEM; false without TLS. */
    public function getPeerCert(): string|false {}

    /** Makes a WebSocket connection of this one; then push() and recv(). */
    public function upgrade(string $path): bool {}

    /**
     * Sends a frame.
     * @param mixed $data a string or a Frame, whose own opcode and flags count
     */
    public function push(mixed $data, int $opcode = SWOOLE_WEBSOCKET_OPCODE_TEXT, int $flags = SWOOLE_WEBSOCKET_FLAG_FIN): bool {}

    /**
     * On a WebSocket connection the next message, an empty string when the peer has closed (with open_websocket_close_frame the
     * CloseFrame that it sent), false on an error or after the time (-1: without limit; 0: read_timeout). Otherwise waits for the
     * response of a deferred request; the time counts from this call.
     */
    public function recv(float $timeout = 0): \Swoole\WebSocket\Frame|string|bool {}

    /** Closes the connection; a WebSocket peer is told. */
    public function close(): bool {}

    public function ping(string $data = ''): bool {}

    /** Sends a close frame and waits for the peer's, then closes. */
    public function disconnect(int $code = SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool {}
}
