<?php

declare(strict_types=1);

namespace Stampede\Top;

/** The lines of the screen: nothing of them is wider than the terminal, and nothing that a client has sent steers it. */
final readonly class Page
{
    private const INVERSE = "\e[7m";
    private const BOLD = "\e[1m";
    private const PLAIN = "\e[0m";
    private const LEAST_REQUESTS = 6; // lines that workers leave to them

    public function __construct(private int $width, private int $height) {}

    /**
     * @param list<RequestInWork> $requests as they are shown
     * @return list<string>
     */
    public function lines(Activity $activity, array $requests, View $view, string $title): array
    {
        $head = [self::BOLD . $this->cut($title) . self::PLAIN, ...array_map($this->cut(...), $this->summary($activity)), ''];
        $workers = $this->workers($activity->now);
        $room = max(1, $this->height - count($head) - 5 - self::LEAST_REQUESTS);
        if (count($workers) > $room) {
            $workers = [...array_slice($workers, 0, $room - 1), sprintf('  ... and %d more', count($workers) - $room + 1)];
        }
        $lines = [...$head, $this->heading(sprintf('%-6s %8s %-9s %9s %5s %5s %9s %9s', 'WORKER', 'PID', 'STATE', 'REQUESTS', 'WORK', 'CONN', 'MEMORY', 'AGE')), ...array_map($this->cut(...), $workers), ''];
        $lines[] = $this->heading(sprintf('%8s  %-24s %3s %-15s %s', 'AGE', 'STATE', 'W', 'CLIENT', "REQUEST (by {$view->order->value}" . ($view->filter === '' ? '' : ", /{$view->filter}") . ')'));
        $left = $this->height - count($lines) - 1;
        $first = max(0, min($view->selected - $left + 1, count($requests) - $left));
        foreach (array_slice($requests, $first, max(0, $left)) as $i => $request) {
            $line = $this->cut($this->request($request));
            $lines[] = $first + $i === $view->selected ? self::INVERSE . str_pad($line, $this->width) . self::PLAIN : $line;
        }
        if ($requests === [] && $left > 0) {
            $lines[] = $this->cut('  no requests in work' . ($view->filter === '' ? '' : ' that fit'));
        }
        return [...array_pad($lines, $this->height - 1, ''), $this->cut($view->prompt !== '' ? $view->prompt : 'q quit  arrows select  s sort  / filter  t stack  c cancel  k kill worker')];
    }

    /**
     * @param list<string> $text
     * @return list<string>
     */
    public function text(string $title, array $text): array
    {
        $lines = array_map($this->cut(...), array_slice($text, 0, $this->height - 2));
        return [...array_pad([self::BOLD . $this->cut($title) . self::PLAIN, ...$lines], $this->height - 1, ''), $this->cut('any key: back')];
    }

    /** @return list<string> */
    private function summary(Activity $activity): array
    {
        $latency = $activity->latency === null
            ? 'latency: measured with --health-listen'
            : implode('  ', array_map(static fn (string $name, ?float $value): string => substr($name, 1) . '% ' . ($value === null ? '-' : self::duration($value)), array_keys($activity->latency), $activity->latency));
        $counters = $activity->now->counters;
        return [
            sprintf('%10.1f req/s  %5d in work  %6d connections  in %s/s  out %s/s', $activity->rates['requests'], $counters['concurrency'] ?? 0, $counters['connection_num'] ?? 0, self::bytes($activity->rates['bytes_in']), self::bytes($activity->rates['bytes_out'])),
            "  {$latency}",
        ];
    }

    /** @return list<string> */
    private function workers(Snapshot $now): array
    {
        return array_map(static fn (array $each): string => sprintf(
            '%-6s %8s %-9s %9s %5s %5s %9s %9s',
            $each['kind'] === 'worker' ? $each['id'] : "{$each['id']} " . substr((string) $each['kind'], 0, 4),
            $each['pid'] ?: '',
            $each['state'],
            $each['requests'] ?? '',
            $each['concurrency'] ?? '',
            $each['connections'] ?? '',
            isset($each['rss']) ? self::bytes((float) $each['rss']) : '',
            isset($each['age']) ? self::duration(1000.0 * $each['age']) : '',
        ), $now->processes);
    }

    private function request(RequestInWork $request): string
    {
        $state = $request->waitsFor === '' ? $request->state : "waits: {$request->waitsFor}";
        return sprintf('%8s  %-24s %3d %-15s %s', self::duration($request->age), $request->since > 0 ? sprintf('%s %s', $state, self::duration($request->since)) : $state, $request->worker, $request->client, $request->name());
    }

    public static function duration(float $milliseconds): string
    {
        return match (true) {
            $milliseconds < 1 => sprintf('%.2f ms', $milliseconds),
            $milliseconds < 1000 => sprintf('%.0f ms', $milliseconds),
            $milliseconds < 60_000 => sprintf('%.1f s', $milliseconds / 1000),
            $milliseconds < 3_600_000 => sprintf('%d:%02d', intdiv((int) $milliseconds, 60_000), intdiv((int) $milliseconds, 1000) % 60),
            default => sprintf('%d:%02d h', intdiv((int) $milliseconds, 3_600_000), intdiv((int) $milliseconds, 60_000) % 60),
        };
    }

    private static function bytes(float $bytes): string
    {
        $units = ['B', 'KiB', 'MiB', 'GiB'];
        for ($unit = 0; $bytes >= 1024 && $unit < 3; $unit++) {
            $bytes /= 1024;
        }
        return sprintf($unit === 0 ? '%.0f %s' : '%.1f %s', $bytes, $units[$unit]);
    }

    private function heading(string $text): string
    {
        return self::INVERSE . str_pad($this->cut($text), $this->width) . self::PLAIN;
    }

    /** Plain ASCII: a column is a byte. */
    private function cut(string $text): string
    {
        $plain = preg_replace('/[^\x20-\x7e]/u', '?', $text) ?? (string) preg_replace('/[^\x20-\x7e]/', '?', $text);
        return strlen($plain) > $this->width ? substr($plain, 0, $this->width - 1) . '>' : $plain;
    }
}
