<?php

declare(strict_types=1);

namespace Stampede\Http;

use Swoole\Http\Response;
use TypeError;

/** Responses whose body comes in pieces. A client that reads slowly makes them wait, so that memory stays flat. */
final class ResponseBody
{
    /**
     * Sends what an iterable gives or a PHP stream holds, and ends the response. False when the client went away: then nothing more
     * is taken from it. What it throws is passed on; without a handler for it the response is cut off.
     *
     * @param iterable<string|\Stringable>|resource $body
     */
    public static function send(Response $response, mixed $body, int $pieceSize = 65536): bool
    {
        if (is_resource($body)) {
            $body = self::pieces($body, max(1, $pieceSize));
        } elseif (!is_iterable($body)) {
            throw new TypeError('a body must be an iterable or a stream, ' . get_debug_type($body) . ' given');
        }
        foreach ($body as $piece) {
            if (!$response->write((string) $piece)) {
                return false;
            }
        }
        return $response->end();
    }

    /**
     * @param resource $stream
     * @param int<1, max> $size
     * @return \Generator<int, string>
     */
    private static function pieces(mixed $stream, int $size): \Generator
    {
        while (!feof($stream)) {
            $piece = fread($stream, $size);
            if ($piece === false) {
                throw new \RuntimeException('the stream of the body cannot be read');
            }
            if ($piece !== '') {
                yield $piece;
            }
        }
    }
}
