<?php

/** @generate-class-entries */

namespace Stampede\Http;

/**
 * The body of a request, read in pieces. With the setting http_stream_request_body the handler runs as soon as the request's
 * head is complete, and a body that is no form comes while it reads: a peer that sends faster waits. Otherwise the body is
 * there already, and this reads it from memory. Several of one request share what comes.
 *
 * foreach gives the pieces, and throws when the body breaks off.
 */
final class Body implements \Iterator
{
    public function __construct(\Swoole\Http\Request $request) {}

    /**
     * The next bytes, at most $length, at least one; waits for them in the coroutine. "" at the end. False when the peer is gone, no
     * byte came within $timeout seconds (-1: as long as the server's limits allow), or the wait was cancelled:
     * swoole_last_error() says which.
     */
    public function read(int $length = 65536, float $timeout = -1): string|false {}

    /** Whether all of it has been read. */
    public function eof(): bool {}

    /** @internal for foreach */
    public function rewind(): void {}

    /** @internal for foreach */
    public function valid(): bool {}

    /** @internal for foreach */
    public function current(): string {}

    /** @internal for foreach */
    public function key(): int {}

    /** @internal for foreach */
    public function next(): void {}
}
