<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Swoole\Http\Response;

/** A response in development: a page of HTML gets a script before its end. What bridges call goes to the response itself. */
final class ScriptInjectingResponse extends Response
{
    private bool $isPage = true; // HTML, as far as is known; it is what a response is that says nothing
    private ?string $length = null;
    private bool $isDone = false;

    /** @param int $revision of what pages are made of, when the request came: the script reloads a page that is older than what there is */
    public function __construct(private readonly Response $to, private readonly int $revision) {}

    public function isWritable(): bool
    {
        return $this->to->isWritable();
    }

    public function status(int $http_code, string $reason = ''): bool
    {
        return $this->to->status($http_code, $reason);
    }

    /** @param string|list<string> $value */
    public function header(string $key, $value, bool $format = true): bool
    {
        $text = is_array($value) ? implode(',', $value) : (string) $value;
        if (strcasecmp($key, 'Content-Length') === 0) {
            $this->length = $text; // of a page it is wrong
            return true;
        }
        if (strcasecmp($key, 'Content-Type') === 0) {
            $this->isPage = stripos($text, 'text/html') === 0;
        } elseif (strcasecmp($key, 'Content-Encoding') === 0) {
            $this->isDone = true;
        }
        return $this->to->header($key, $value, $format);
    }

    public function write(string $content): bool
    {
        $this->head();
        return $this->to->write($this->with($content));
    }

    public function end(?string $content = null): bool
    {
        $this->head();
        return $content === null ? $this->to->end() : $this->to->end($this->with($content));
    }

    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool
    {
        return $this->to->sendfile($filename, $offset, $length);
    }

    public function close(): bool
    {
        return $this->to->close();
    }

    private function head(): void
    {
        if ($this->length !== null && (!$this->isPage || $this->isDone)) {
            $this->to->header('Content-Length', $this->length);
        }
        $this->length = null;
    }

    private function with(string $content): string
    {
        $at = $this->isPage && !$this->isDone ? strripos($content, '</body>') : false;
        if ($at === false) {
            return $content;
        }
        $this->isDone = true;
        return substr_replace($content, sprintf('<script src="%s?%d" async></script>', ReloadNotifier::SCRIPT, $this->revision), $at, 0);
    }
}
