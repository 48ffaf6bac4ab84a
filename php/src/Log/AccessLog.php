<?php

declare(strict_types=1);

namespace Stampede\Log;

use Stampede\Config\Configuration;
use Stampede\Config\LogFormat;
use Swoole\Http\Request;

/** A line for each request: for people, coloured in a terminal, or JSON for programs, which is written a moment later together with that of other requests. */
final class AccessLog
{
    private const COLOURS = [1 => 35, 2 => 32, 3 => 36, 4 => 33, 5 => 31]; // by the first digit of the status
    private const SLOW = [1000 => 31, 200 => 33]; // from so many milliseconds on
    private const DIM = 2;
    private readonly LogFormat $format;
    private readonly bool $coloured;
    private int $second = 0;
    private string $date = ''; // of the second, for sprintf()

    public function __construct(Configuration $options, private readonly LogOutput $output)
    {
        $isTerminal = stream_isatty(STDERR) && !$options->is('daemon'); // which leaves the terminal later
        $this->coloured = $isTerminal && getenv('NO_COLOR') === false;
        $this->format = LogFormat::of($options);
    }

    public function write(Request $request, int $status, int $nanoseconds): void
    {
        match ($this->format) {
            LogFormat::Off => null,
            LogFormat::Json => $this->output->keep($this->json($request, $status, $nanoseconds / 1e6)),
            LogFormat::Text => fwrite(STDERR, $this->text($request, $status, $nanoseconds / 1e6)),
        };
    }

    private function json(Request $request, int $status, float $milliseconds): string
    {
        // A method is a token and an address has nothing to escape either.
        $path = json_encode($request->server['request_uri'], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
        return "{\"time\":\"{$this->now()}\",\"method\":\"{$request->server['request_method']}\",\"path\":{$path},\"status\":{$status},\"ms\":"
            . round($milliseconds, 2) . ',"client":"' . ($request->server['remote_addr'] ?? '') . "\"}\n";
    }

    /** In RFC 3339, to the millisecond. */
    private function now(): string
    {
        $now = microtime(true);
        if ((int) $now !== $this->second) {
            $this->second = (int) $now;
            $this->date = date('Y-m-d\TH:i:s.%03\d', $this->second) . date('P', $this->second);
        }
        return sprintf($this->date, (int) (($now - $this->second) * 1000));
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
