<?php

/** @generate-class-entries */

namespace Swoole\Coroutine\Http2 {

    /**
     * An HTTP/2 client: many requests on one connection. send() gives the number of the stream, recv() whichever response is
     * complete first. Any number of coroutines may send, one receives.
     */
    class Client
    {
        /** @var int errno or SWOOLE_ERROR_*; after GOAWAY or a reset of the connection SWOOLE_HTTP2_ERROR_*. */
        public $errCode = 0;
        /** @var string */
        public $errMsg = '';
        /** @var int */
        public $sock = -1;
        /** @var int */
        public $type = 0;
        /** @var array|null */
        public $setting = null;
        /** @var mixed Always null. */
        public $socket = null;
        /** @var bool */
        public $connected = false;
        /** @var string|null */
        public $host = null;
        /** @var int */
        public $port = 0;
        /** @var bool */
        public $ssl = false;
        /** @var int The last stream that a server which goes away has seen. */
        public $serverLastStreamId = 0;

        /** A host name, an address or "unix:/path". */
        public function __construct(string $host, int $port = 80, bool $open_ssl = false) {}

        public function __destruct() {}

        /**
         * Times in seconds, -1 for no limit: timeout (of connect() and recv()), connect_timeout (10), read_timeout, write_timeout (60);
         * package_max_length (128 MiB; of a body, also decoded), body_decompression (true), http2_header_table_size,
         * http2_max_concurrent_streams, http2_init_window_size, http2_max_frame_size, http2_max_header_list_size, proxies,
         * bind_address, ssl_*. Before connect().
         */
        public function set(array $settings): bool {}

        /** False with $errCode and $errMsg. */
        public function connect(): bool {}

        /** All numbers, or the one named: current_stream_id, last_stream_id, active_stream_num, local_settings, remote_settings. */
        public function stats(string $key = ''): array|int {}

        /** Whether the stream is in progress; 0: whether the connection is there. */
        public function isStreamExist(int $stream_id): bool {}

        /** Sends a request; its stream's number, or false, also once the server has said GOAWAY. With $request->pipeline its body follows by write(). */
        public function send(\Swoole\Http2\Request $request): int|false {}

        /**
         * More of a request's body; waits while the server takes no more.
         * @param mixed $data a string, or an array, which is sent as a form
         */
        public function write(int $stream_id, mixed $data, bool $end_stream = false): bool {}

        /** The next complete response, in the order they come. Waits at most $timeout seconds (0: read_timeout, -1: without limit). */
        public function recv(float $timeout = 0): \Swoole\Http2\Response|false {}

        /** As recv(), but a response to a request with $usePipelineRead comes in pieces, $pipeline true until the last. */
        public function read(float $timeout = 0): \Swoole\Http2\Response|false {}

        public function goaway(int $error_code = SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): bool {}

        public function ping(): bool {}

        public function close(): bool {}
    }
}

namespace Swoole\Http2 {

    class Request
    {
        /** @var string */
        public $path = '/';
        /** @var string */
        public $method = 'GET';
        /** @var array|null */
        public $headers = null;
        /** @var array|null */
        public $cookies = null;
        /** @var array|string An array is sent as a form. */
        public $data = '';
        /** @var bool The body follows by write(). */
        public $pipeline = false;
        /** @var bool read() gives the response in pieces. */
        public $usePipelineRead = false;
    }

    class Response
    {
        /** @var int */
        public $streamId = 0;
        /** @var int SWOOLE_HTTP2_ERROR_* when the stream was reset; $statusCode is -3 then. */
        public $errCode = 0;
        /** @var int */
        public $statusCode = 0;
        /** @var bool More of this response is to come. */
        public $pipeline = false;
        /** @var array|null */
        public $headers = null;
        /** @var array|null */
        public $set_cookie_headers = null;
        /** @var array|null */
        public $cookies = null;
        /** @var string|null */
        public $data = null;
    }
}
