<?php

/** @generate-class-entries */

namespace Swoole\Http;

/**
 * One HTTP request. What is never read is never built: header, server, cookie, get, post and files become ordinary arrays
 * when they are first looked at.
 */
class Request
{
    /** @var int Number of the connection, unique over all workers of the server. */
    public $fd = 0;
    /** @var int Number of the HTTP/2 stream; 0 for HTTP/1. */
    public $streamId = 0;
    /** @var array|null Fields by lower-case name, without `cookie`; a field sent twice is joined with ", ". */
    public $header = null;
    /**
     * @var array|null request_method, request_uri, path_info, query_string (when there is one), request_time,
     * request_time_float, server_protocol, server_port, remote_port, remote_addr, server_addr (not on unix sockets), master_time; https ("on") over TLS. Behind proxies that
     * are trusted also server_name and proxy_addr, and what they say of the client in the others.
     */
    public $server = null;
    /** @var array|null Cookies by name as sent, values decoded. Null when there are none. */
    public $cookie = null;
    /** @var array|null The query string as PHP parses it, at most max_input_vars entries. Null when there is none. */
    public $get = null;
    /** @var array|null Uploads: name, type, tmp_name, error, size. The temporary files go with the request. Null when there are none. */
    public $files = null;
    /** @var array|null Fields of an urlencoded or multipart body. Null when there are none. */
    public $post = null;
    /** @var array|null Paths of the temporary files of this request. */
    public $tmpfiles = null;

    /**
     * The body as sent; "" when there is none, false when this object never got a request. A multipart/form-data body above 2 MiB
     * exists as fields and files only, and is "" here.
     */
    public function getContent(): string|false {}

    /** @implementation-alias Swoole\Http\Request::getContent */
    public function rawContent(): string|false {}

    /** Head and body as sent, as far as they have come; false when this object never got a request. */
    public function getData(): string|false {}

    /**
     * An empty request to be filled by parse().
     *
     * Options: parse_cookie, parse_body (bool, default true), parse_files (bool, default false: the layout of $_FILES for nested names), package_max_length (bytes, default 2 MiB),
     * upload_tmp_dir, enable_compression (bool, default false: bodies of responses that Response::create() makes for this request are compressed as http_compression does it),
     * compression_level (default 1). Unknown ones are ignored.
     */
    public static function create(array $options = []): Request {}

    /**
     * Takes bytes of an HTTP/1 request. Returns how many it took: fewer than given when the request is complete.
     * From the request line on, what has come can be read: getMethod(), getData(), the arrays of the head, which each call fills anew; fields and files of a form when isCompleted() is true.
     * False, and nothing taken, when the bytes are no valid request or the object was not made by create().
     */
    public function parse(string $data): int|false {}

    /** True when the head and the whole body are there. */
    public function isCompleted(): bool {}

    /** The method as sent; false when this object never got a request. */
    public function getMethod(): string|false {}
}
