<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Swoole\Http\Request;
use Throwable;

/** What a browser shows when a request failed: the source and the stack in development, one sentence in production. */
final class ErrorPage
{
    private const AROUND = 7; // lines of source before and after

    private const STYLE = <<<'CSS'
        :root { color-scheme: light dark; --line: light-dark(#d9dde3, #3a3f47); --soft: light-dark(#f4f5f7, #22262c); --mark: light-dark(#ffe3df, #5a2420); }
        body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2.5rem 1.25rem; }
        h1 { font-size: 1.5rem; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
        .class { color: light-dark(#b3261e, #ff8a80); font-weight: 600; margin: 0; overflow-wrap: anywhere; }
        .place { color: light-dark(#5b6470, #9aa4b2); overflow-wrap: anywhere; }
        pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; font-size: .85rem; overflow-x: auto; padding: .75rem 0; }
        pre span { display: block; padding: 0 1rem; }
        pre .here { background: var(--mark); }
        ol { padding-left: 1.25rem; } li { border-top: 1px solid var(--line); padding: .5rem 0; overflow-wrap: anywhere; }
        code { font-size: .9rem; }
        CSS;

    public static function plain(): string
    {
        return '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error</title><style>'
            . self::STYLE . '</style><h1>Something went wrong.</h1><p>The error has been logged. Please try again later.</p></html>';
    }

    public static function of(Throwable $failure, Request $request): string
    {
        $parts = '';
        for ($each = $failure; $each !== null; $each = $each->getPrevious()) {
            $parts .= sprintf(
                '<section><p class="class">%s</p><h1>%s</h1><p class="place">%s:%d</p>%s<ol>%s</ol></section>',
                self::text(get_class($each)),
                self::text($each->getMessage() === '' ? '(no message)' : $each->getMessage()),
                self::text($each->getFile()),
                $each->getLine(),
                self::source($each->getFile(), $each->getLine()),
                self::stack($each),
            );
        }
        $title = self::text("{$request->server['request_method']} {$request->server['request_uri']}");
        return '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>'
            . self::text($failure->getMessage()) . '</title><style>' . self::STYLE . "</style></head><body><p><code>{$title}</code></p>{$parts}</body></html>";
    }

    private static function source(string $file, int $line): string
    {
        $lines = @file($file);
        if ($lines === false) {
            return '';
        }
        $shown = '';
        for ($number = max(1, $line - self::AROUND); $number <= min(count($lines), $line + self::AROUND); $number++) {
            $shown .= sprintf('<span%s>%4d  %s</span>', $number === $line ? ' class="here"' : '', $number, self::text(rtrim($lines[$number - 1])));
        }
        return "<pre>{$shown}</pre>";
    }

    private static function stack(Throwable $failure): string
    {
        $items = '';
        foreach ($failure->getTrace() as $frame) {
            $items .= sprintf(
                '<li><code>%s%s%s()</code><br><span class="place">%s</span></li>',
                self::text($frame['class'] ?? ''),
                self::text($frame['type'] ?? ''),
                self::text($frame['function']),
                isset($frame['file']) ? self::text("{$frame['file']}:" . ($frame['line'] ?? 0)) : 'inside of PHP',
            );
        }
        return $items;
    }

    private static function text(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
    }
}
