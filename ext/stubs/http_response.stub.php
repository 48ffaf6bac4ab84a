<?php

/** @generate-class-entries */

namespace Swoole\Http;

/**
 * The response to one HTTP request. Framing (Content-Length, chunks, Connection) is the server's: what the application sets
 * of it is used where it is needed (the length of a HEAD response or of a stream) and corrected where it would be wrong.
 * When the last reference goes and the response was neither ended nor detached, it is ended with the status set so far, else 500.
 * Methods of a response that was ended or detached give false, and the last error is SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE.
 */
class Response
{
    /** @var int Number of the connection. */
    public $fd = 0;
    /** @var mixed */
    public $socket = null;
    /** @var array|null Fields set so far, by name. */
    public $header = null;
    /** @var array|null Set-Cookie values set so far. */
    public $cookie = null;
    /** @var array|null Trailer fields set so far. */
    public $trailer = null;

    /** Kept for old code; always true while the response has not begun. */
    public function initHeader(): bool {}

    /** True while something can still be sent: the peer is there and the response is not complete. */
    public function isWritable(): bool {}

    /**
     * Sets a cookie; name and value may not break the field, the value is url-encoded. With an empty value the cookie is
     * deleted at the peer. $expires is a Unix time, 0 for the session; Max-Age follows from it. $path is only sent when it is given.
     * @param \Swoole\Http\Cookie|string $name_or_object
     */
    public function cookie($name_or_object, string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool {}

    /**
     * @param \Swoole\Http\Cookie|string $name_or_object
     * @implementation-alias Swoole\Http\Response::cookie
     */
    public function setCookie($name_or_object, string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool {}

    /**
     * As cookie(), the value unchanged.
     * @param \Swoole\Http\Cookie|string $name_or_object
     */
    public function rawcookie($name_or_object, string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool {}

    /**
     * @param \Swoole\Http\Cookie|string $name_or_object
     * @implementation-alias Swoole\Http\Response::rawcookie
     */
    public function setRawCookie($name_or_object, string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool {}

    /**
     * Status 100 to 999 and an own reason. False, with a warning, for anything else or once the response has begun. Below 200 it is no
     * response to end with, and 500 is sent; 101 is for end() of a handshake.
     */
    public function status(int $http_code, string $reason = ''): bool {}

    /** @implementation-alias Swoole\Http\Response::status */
    public function setStatusCode(int $http_code, string $reason = ''): bool {}

    /**
     * Sets a field, replacing one of the same name; an array gives a line for each value. With $format the name is written
     * Like-This. False, with a warning, when name or value hold CR, LF or NUL, or the name is no token.
     * @param string|array $value
     */
    public function header(string $key, $value, bool $format = true): bool {}

    /**
     * @param string|array $value
     * @implementation-alias Swoole\Http\Response::header
     */
    public function setHeader(string $key, $value, bool $format = true): bool {}

    /** A field after a streamed (chunked) body. Checked as header() checks; none that says how a message is read, as Content-Length does. */
    public function trailer(string $key, string $value): bool {}

    /**
     * Sends a piece of the body at once; the first call sends the head. Waits, in a coroutine, while the peer reads too slowly.
     * False when there is nobody to send to.
     */
    public function write(string $content): bool {}

    /**
     * Sends 103 (Early Hints) with a Link field for each value, as '</app.css>; rel=preload; as=style', before the response is known; no peer of
     * HTTP/1.0 gets one. False when the response has begun or a value holds a control character.
     * @param string[] $links
     */
    public function earlyHints(array $links): bool {}

    /**
     * Sends the rest of the body and completes the response. It leaves before the handler goes on: what comes after it does not
     * delay it. False when it was complete or there is nobody to send to.
     */
    public function end(?string $content = null): bool {}

    /** Sends a file, or $length bytes of it from $offset (0: to its end), as the whole body, and completes the response. */
    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool {}

    /** Sends a redirect and completes the response. */
    public function redirect(string $location, int $http_code = 302): bool {}

    /** Lets the response be completed by an object that create() makes later; this object no longer ends it. */
    public function detach(): bool {}

    /**
     * A response object for a request that has none yet or whose object was detached: of connection $fd of $server, of connection
     * $server of the running server, or of [$server, $request]. False, with a warning, when there is no such request in this worker.
     *
     * A request of another worker that was given up with detach() can be responded to from every process of the server: by write(),
     * end() and sendfile(). The object belongs to the request that waits when it is made: a second response to it, or one that comes when the
     * request has one or its client has left, gives false with a warning. Of several requests of an HTTP/2 connection one has to be named:
     * $request = new Request; $request->streamId = $stream; Response::create([$server, $request], $fd).
     * A connection of a stream port gives an object that writes HTTP/1 onto it.
     * In the first process of a server, also one whose worker this process has just killed with Process::kill(), for a second: what was
     * not responded to yet and came by plain HTTP/1 gets its last response so.
     *
     * A Swoole\Coroutine\Socket, or [$socket, $request], gives an object that writes HTTP/1 onto the socket: write(), end(), sendfile()
     * and redirect() wait in the coroutine for as long as the socket's write time allows and return false when it failed (errCode of
     * the socket). Of the request count its method, its version and whether the connection is to be kept; reading requests, and
     * closing the connection after "Connection: close", stay with the owner of the socket. An object that is not ended sends no more.
     * upgrade() and earlyHints() are not possible there.
     * @param object|array|int $server
     */
    public static function create($server = -1, int $fd = -1): Response|false {}

    /** Closes the connection; an unfinished response is cut off, a WebSocket peer is told. */
    public function close(): bool {}

    /**
     * Responds to a WebSocket handshake, with the header fields set so far, and turns the connection into a WebSocket one; then
     * push() and recv(). False when the request is none (it has been refused with 400 or 426), or a response has begun.
     */
    public function upgrade(): bool {}

    /**
     * Sends a frame; waits, in a coroutine, while the peer reads too slowly. False when the connection is closed.
     * @param \Swoole\WebSocket\Frame|string $data a Frame's own opcode and flags count
     */
    public function push($data, int $opcode = SWOOLE_WEBSOCKET_OPCODE_TEXT, int $flags = SWOOLE_WEBSOCKET_FLAG_FIN): bool {}

    /**
     * The next message of the WebSocket connection: a Frame; a CloseFrame when the peer closes; "" once the connection is
     * closed; false after $timeout seconds (0 and less: without limit) or an error, see swoole_last_error(). Pings are
     * replied to automatically unless open_websocket_ping_frame is set.
     */
    public function recv(float $timeout = 0): \Swoole\WebSocket\Frame|string|false {}

    /** Sends a ping: on a WebSocket connection, or of HTTP/2 with at most 8 bytes, to which zeros are added. */
    public function ping(string $data = ''): bool {}

    /**
     * Tells an HTTP/2 peer to go, with an error code and a text for its log; the requests that have come still get their responses. False, with
     * a warning, on other connections.
     */
    public function goaway(int $error_code = SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): bool {}

    /** Sends a WebSocket close frame; recv() then sees the peer's. */
    public function disconnect(int $code = SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool {}
}
