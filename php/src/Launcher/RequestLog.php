<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Swoole\Http\Request;

/** A line for each request on standard error: for people in a terminal, or JSON. */
final class RequestLog
{
    private const COLOURS = [2 => '32', 3 => '36', 4 => '33', 5 => '31'];
    private readonly bool $coloured;

    public function __construct(private readonly string $format)
    {
        $this->coloured = stream_isatty(STDERR) && getenv('NO_COLOR') === false;
    }

    public function write(Request $request, int $status, int $nanoseconds): void
    {
        if ($this->format === 'off') {
            return;
        }
        $server = $request->server;
        $milliseconds = round($nanoseconds / 1e6, 2);
        if ($this->format === 'json') {
            fwrite(STDERR, json_encode([
                'time' => date(DATE_RFC3339_EXTENDED),
                'method' => $server['request_method'],
                'path' => $server['request_uri'],
                'status' => $status,
                'ms' => $milliseconds,
                'client' => $server['remote_addr'] ?? '',
            ], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
            return;
        }
        $path = (string) preg_replace('/[^\x21-\x7e]/', '?', $server['request_uri']);
        $line = sprintf('%s %d %-6s %s %.1f ms', date('H:i:s'), $status, $server['request_method'], $path, $milliseconds);
        $colour = self::COLOURS[intdiv($status, 100)] ?? '0';
        fwrite(STDERR, $this->coloured ? "\e[{$colour}m{$line}\e[0m\n" : "{$line}\n");
    }
}
