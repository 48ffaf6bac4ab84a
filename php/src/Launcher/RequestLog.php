<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Swoole\Http\Request;

/** A line for each request on standard error: for people, coloured in a terminal, or JSON for programs. */
final class RequestLog
{
    private const COLOURS = [1 => 35, 2 => 32, 3 => 36, 4 => 33, 5 => 31]; // by the first digit of the status
    private const SLOW = [1000 => 31, 200 => 33]; // from so many milliseconds on
    private const DIM = 2;
    private readonly string $format;
    private readonly bool $coloured;

    public function __construct(Options $options)
    {
        $isTerminal = stream_isatty(STDERR) && !$options->is('daemon'); // which leaves the terminal later
        $this->coloured = $isTerminal && getenv('NO_COLOR') === false;
        $this->format = match (true) {
            $options->text('log-format') !== 'auto' => $options->text('log-format'),
            $options->text('env') === 'prod' && !$isTerminal => 'json',
            default => 'text',
        };
    }

    public function write(Request $request, int $status, int $nanoseconds): void
    {
        match ($this->format) {
            'off' => null,
            'json' => fwrite(STDERR, self::json($request, $status, $nanoseconds / 1e6)),
            default => fwrite(STDERR, $this->text($request, $status, $nanoseconds / 1e6)),
        };
    }

    private static function json(Request $request, int $status, float $milliseconds): string
    {
        return json_encode([
            'time' => date(DATE_RFC3339_EXTENDED),
            'method' => $request->server['request_method'],
            'path' => $request->server['request_uri'],
            'status' => $status,
            'ms' => round($milliseconds, 2),
            'client' => $request->server['remote_addr'] ?? '',
        ], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }

    private function text(Request $request, int $status, float $milliseconds): string
    {
        $path = (string) preg_replace('/[^\x21-\x7e]/', '?', $request->server['request_uri']);
        $speed = self::DIM;
        foreach (self::SLOW as $limit => $colour) {
            if ($milliseconds >= $limit && $status !== 101) { // a WebSocket lasts
                $speed = $colour;
                break;
            }
        }
        return sprintf(
            "%s %s %-6s %s %s\n",
            $this->in(self::DIM, date('H:i:s')),
            $this->in(self::COLOURS[intdiv($status, 100)] ?? 0, (string) $status),
            $request->server['request_method'],
            $path,
            $this->in($speed, self::duration($milliseconds)),
        );
    }

    private static function duration(float $milliseconds): string
    {
        return match (true) {
            $milliseconds < 10_000 => sprintf('%.1f ms', $milliseconds),
            $milliseconds < 120_000 => sprintf('%.1f s', $milliseconds / 1000),
            default => sprintf('%.0f min', $milliseconds / 60_000),
        };
    }

    private function in(int $colour, string $text): string
    {
        return $this->coloured ? "\e[{$colour}m{$text}\e[0m" : $text;
    }
}
