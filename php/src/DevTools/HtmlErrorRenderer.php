<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Stampede\Log\ExceptionFormatter;
use Swoole\Http\Request;
use Throwable;

/** What a browser shows when a request failed: the source, the stack and the request in development, one sentence in production. */
final class HtmlErrorRenderer
{
    private const AROUND = 8; // lines of source before and after
    private const AROUND_CALLS = 4;
    private const MOST_FRAMES = 60;

    private const STYLE = <<<'CSS'
        :root { color-scheme: light dark; --paper: light-dark(#f6f7f9, #14171b); --card: light-dark(#fff, #1c2026); --ink: light-dark(#1b2129, #e7eaee); --soft: light-dark(#5d6875, #98a3b1);
            --line: light-dark(#dfe3e8, #323841); --bad: light-dark(#b3261e, #ff8f85); --mark: light-dark(#ffe9e5, #4b221e); --code: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        * { box-sizing: border-box; }
        body { background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; margin: 0; }
        main { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.25rem 4rem; }
        .top { border-top: .3rem solid var(--bad); }
        h1 { font-size: clamp(1.25rem, 4vw, 1.75rem); line-height: 1.3; margin: .15rem 0 .5rem; overflow-wrap: anywhere; white-space: pre-line; }
        h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
        p { margin: 0; } .class { color: var(--bad); font-weight: 600; margin-top: 1.5rem; overflow-wrap: anywhere; }
        .place, small { color: var(--soft); overflow-wrap: anywhere; }
        code, pre { font-family: var(--code); font-size: .85rem; }
        .request { color: var(--soft); overflow-wrap: anywhere; }
        pre { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; line-height: 1.6; margin: .75rem 0 0; overflow-x: auto; padding: .6rem 0; }
        pre span { display: block; padding-right: 1rem; width: max-content; min-width: 100%; }
        pre i { color: var(--soft); display: inline-block; font-style: normal; margin-right: 1rem; padding-left: .75rem; text-align: right; user-select: none; width: 3.5rem; }
        pre .here { background: var(--mark); box-shadow: inset .25rem 0 var(--bad); }
        pre b { font-weight: inherit; } .k { color: light-dark(#7c3aa8, #d3a4f5); } .s { color: light-dark(#1d7044, #8fd6a5); } .v { color: light-dark(#1f5fae, #8cc2ff); } .c { color: var(--soft); }
        ol { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; list-style: none; margin: 0; padding: 0; }
        li { border-top: 1px solid var(--line); overflow-wrap: anywhere; padding: .55rem 1rem; } li:first-child { border: 0; }
        li.library { opacity: .7; } li.library:has([open]) { opacity: 1; } li pre { border-radius: .4rem; } summary { cursor: pointer; } summary code { overflow-wrap: anywhere; }
        dl { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; display: grid; grid-template-columns: minmax(6rem, auto) 1fr; margin: 0; padding: .6rem 1rem; gap: .25rem 1.25rem; }
        dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; } dt, dd { font: .85rem/1.5 var(--code); }
        @media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
        .calm { align-content: center; min-height: 90vh; text-align: center; } .calm h1 { font-size: 2rem; }
        CSS;

    /** Without anything of the application. */
    public static function plain(int $status, ?Request $request = null): string
    {
        $id = self::text($request->header['x-request-id'] ?? '');
        $reference = $id === '' ? '' : "<p class=\"place\">Request <code>{$id}</code></p>";
        $headline = $status === 504 ? 'This takes too long.' : 'Something went wrong.';
        return self::document('Error', "<main class=\"calm\"><h1>{$headline}</h1><p class=\"place\">The error has been logged. Please try again later.</p>{$reference}</main>");
    }

    public static function of(Throwable $failure, Request $request): string
    {
        $parts = '';
        for ($each = $failure; $each !== null; $each = $each->getPrevious()) {
            $parts .= sprintf(
                '<section><p class="class">%s%s</p><h1>%s</h1><p class="place">%s</p>%s<h2>Stack</h2><ol>%s</ol></section>',
                $each === $failure ? '' : 'because of ',
                self::text(get_class($each)),
                self::text($each->getMessage() === '' ? '(no message)' : $each->getMessage()),
                $each->getFile() === '' ? '' : self::text($each->getFile()) . ":{$each->getLine()}",
                (new SourceExcerpt($each->getFile(), $each->getLine(), self::AROUND))->html(),
                self::stack($each),
            );
        }
        $title = self::text("{$request->server['request_method']} {$request->server['request_uri']}");
        return self::document(self::text($failure->getMessage()), "<div class=\"top\"></div><main><p class=\"request\"><code>{$title}</code></p>{$parts}" . self::request($request) . '</main>');
    }

    private static function document(string $title, string $body): string
    {
        return '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>'
            . "{$title}</title><style>" . self::STYLE . "</style></head><body>{$body}</body></html>";
    }

    /** Calls with their source, to be opened; those of packages are pale. */
    private static function stack(Throwable $failure): string
    {
        $items = '';
        $frames = ExceptionFormatter::frames($failure);
        foreach (array_slice($frames, 0, self::MOST_FRAMES) as $frame) {
            $call = sprintf('<code>%s%s%s()</code>', self::text($frame['class'] ?? ''), self::text($frame['type'] ?? ''), self::text($frame['function']));
            if (!isset($frame['file'])) {
                $items .= "<li class=\"library\">{$call} <small>inside of PHP</small></li>";
                continue;
            }
            $place = self::text("{$frame['file']}:" . ($frame['line'] ?? 0));
            $source = (new SourceExcerpt($frame['file'], $frame['line'] ?? 0, self::AROUND_CALLS))->html();
            $isLibrary = str_contains($frame['file'], '/vendor/') || str_starts_with($frame['file'], dirname(__DIR__));
            $items .= ($isLibrary ? '<li class="library">' : '<li>')
                . ($source === '' ? "{$call}<br><small>{$place}</small>" : "<details><summary>{$call} <small>{$place}</small></summary>{$source}</details>") . '</li>';
        }
        $left = count($frames) - self::MOST_FRAMES;
        return $left > 0 ? "{$items}<li class=\"library\">and {$left} calls more</li>" : $items;
    }

    private static function request(Request $request): string
    {
        $list = '';
        $fields = array_diff_key($request->header ?? [], ['cookie' => true]);
        foreach (['Query' => $request->get ?? [], 'Form' => $request->post ?? [], 'Fields' => $fields] as $name => $values) {
            $list .= $values === [] ? '' : "<h2>{$name}</h2><dl>" . self::pairs($values) . '</dl>';
        }
        return $list . '<h2>Server</h2><dl>' . self::pairs(['PHP' => PHP_VERSION, 'Stampede' => (string) phpversion('stampede'), 'Process' => (string) getmypid(), 'Request' => $request->header['x-request-id'] ?? '']) . '</dl>';
    }

    /** @param array<mixed> $values */
    private static function pairs(array $values): string
    {
        $pairs = '';
        foreach ($values as $name => $value) {
            $value = SecretMask::shown((string) $name, $value);
            $shown = is_string($value) ? $value : (string) json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
            $pairs .= sprintf('<dt>%s</dt><dd>%s</dd>', self::text((string) $name), self::text(substr($shown, 0, 500)));
        }
        return $pairs;
    }

    private static function text(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
    }
}
