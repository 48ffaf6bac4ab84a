<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** Sends responses of Symfony's HttpFoundation, also streamed ones and files. */
final class HttpFoundationResponder
{
    public function send(SymfonyResponse $from, Response $to, OutputBuffer $printed): void
    {
        $to->status($from->getStatusCode(), self::textOf($from));
        $fields = $from->headers->allPreserveCaseWithoutCookies();
        $cookies = array_map('strval', $from->headers->getCookies());
        if ($cookies !== []) {
            $fields['Set-Cookie'] = $cookies;
        }
        $part = $from instanceof BinaryFileResponse ? self::partOf($from) : null;
        foreach (RequestScope::withNative($fields) as $name => $values) {
            if (($part !== null || $printed->hasBefore()) && strcasecmp((string) $name, 'Content-Length') === 0) {
                continue; // the server says what it sends
            }
            $to->header((string) $name, count($values) === 1 ? (string) reset($values) : $values, false);
        }
        match (true) {
            $from instanceof BinaryFileResponse => $this->file($from, $part, $to),
            $from instanceof StreamedResponse => $printed->stream($from->sendContent(...), $to, str_starts_with((string) $from->headers->get('Content-Type'), 'text/event-stream')),
            default => $to->end($printed->before() . $from->getContent()),
        };
    }

    private static function textOf(SymfonyResponse $response): string
    {
        /** @var Closure(SymfonyResponse): string|null $read */
        static $read = null;
        $read ??= Closure::bind(static fn (SymfonyResponse $response): string => $response->statusText, null, SymfonyResponse::class);
        return $read($response);
    }

    /** @return array{int, int}|null where it begins and how long it is, 0: to the end; null: nothing is sent, as for HEAD */
    private static function partOf(BinaryFileResponse $from): ?array
    {
        [$offset, $length] = Closure::bind(fn (): array => [$this->offset, $this->maxlen], $from, BinaryFileResponse::class)();
        return $from->isSuccessful() && $length !== 0 ? [$offset, max(0, $length)] : null;
    }

    /** @param array{int, int}|null $part */
    private function file(BinaryFileResponse $from, ?array $part, Response $to): void
    {
        $path = $from->getFile()->getPathname();
        $part === null ? $to->end() : $to->sendfile($path, ...$part);
        if (Closure::bind(fn (): bool => $this->deleteFileAfterSend, $from, BinaryFileResponse::class)() && is_file($path)) {
            unlink($path);
        }
    }
}
