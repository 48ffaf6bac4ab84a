<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** Sends responses of Symfony's HttpFoundation, also streamed ones and files. */
final class SymfonyResponses
{
    private const PIECE = 8192;

    public function send(SymfonyResponse $from, Response $to): void
    {
        $to->status($from->getStatusCode(), SymfonyResponse::$statusTexts[$from->getStatusCode()] ?? '');
        $fields = $from->headers->allPreserveCaseWithoutCookies();
        $cookies = array_map('strval', $from->headers->getCookies());
        if ($cookies !== []) {
            $fields['Set-Cookie'] = $cookies;
        }
        foreach (RequestScope::withNative($fields) as $name => $values) {
            if ($from instanceof BinaryFileResponse && strcasecmp((string) $name, 'Content-Length') === 0) {
                continue; // the server says what it sends
            }
            $to->header((string) $name, count($values) === 1 ? (string) reset($values) : $values, false);
        }
        match (true) {
            $from instanceof BinaryFileResponse => $this->file($from, $to),
            $from instanceof StreamedResponse => $this->stream($from, $to),
            default => $to->end((string) $from->getContent()),
        };
    }

    private function file(BinaryFileResponse $from, Response $to): void
    {
        [$offset, $length, $delete] = Closure::bind(
            fn (): array => [$this->offset, $this->maxlen, $this->deleteFileAfterSend],
            $from,
            BinaryFileResponse::class,
        )();
        $path = $from->getFile()->getPathname();
        if (!$from->isSuccessful() || $length === 0) {
            $to->end();
        } else {
            $to->sendfile($path, $offset, $length < 0 ? 0 : $length);
        }
        if ($delete && is_file($path)) {
            unlink($path);
        }
    }

    /** What its function prints leaves in pieces, at once when it flushes. */
    private function stream(StreamedResponse $from, Response $to): void
    {
        ob_start(function (string $data) use ($to): string {
            if ($data !== '') {
                $to->write($data);
            }
            return '';
        }, self::PIECE);
        $level = ob_get_level();
        try {
            $from->sendContent();
        } finally {
            while (ob_get_level() >= $level && ob_end_flush()) {
            }
            $to->end();
        }
    }
}
