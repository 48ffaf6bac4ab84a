<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** A profile on one screen: the functions that took the most, and what was waited for. */
final class Summary
{
    private const MOST = 25; // functions
    private const WAIT = '[waits: ';

    /** @var array<string, array{self: int, total: int, places: array<string, int>}> by function */
    private array $functions = [];
    /** @var array<string, int> */
    private array $waits = [];
    private int $computed = 0;

    public function __construct(private readonly Profile $profile)
    {
        foreach ($profile->heaviest() as $stack) {
            $this->count($stack);
        }
        uasort($this->functions, static fn (array $a, array $b): int => [$b['self'], $b['total']] <=> [$a['self'], $a['total']]);
        arsort($this->waits);
    }

    public function text(): string
    {
        if ($this->functions === []) {
            return "Nothing of the application ran or waited meanwhile.\n";
        }
        $text = sprintf(
            "%.1f s of %d workers. PHP code computed for %s; the workers have used %s of a processor in all.\n\n%10s %10s  function\n",
            $this->profile->seconds,
            $this->profile->workers(),
            self::time($this->computed),
            self::time($this->profile->used),
            'self',
            'total',
        );
        foreach (array_slice($this->functions, 0, self::MOST, true) as $name => $function) {
            arsort($function['places']);
            $place = (string) array_key_first($function['places']);
            $text .= sprintf("%10s %10s  %s%s\n", self::time($function['self']), self::time($function['total']), self::printable((string) $name), $place === '' ? '' : '  ' . self::printable($place));
        }
        $more = count($this->functions) - self::MOST;
        $text .= $more > 0 ? sprintf("%23s %d more\n", '', $more) : '';
        $waits = array_map(static fn (string $kind, int $time): string => "{$kind} " . self::time($time), array_keys($this->waits), $this->waits);
        return $text . ($waits === [] ? '' : "\nwaits: " . implode(', ', $waits) . "\n");
    }

    private function count(Stack $stack): void
    {
        $weight = $this->profile->weight($stack);
        $frames = array_map(fn (int $number): Frame => $this->profile->frames[$number], $stack->frames);
        $last = $frames[count($frames) - 1];
        $this->computed += $stack->cpu;
        if ($last->isWait()) {
            $kind = rtrim(substr($last->name, strlen(self::WAIT)), ']');
            $this->waits[$kind] = ($this->waits[$kind] ?? 0) + $weight;
        }
        $seen = [];
        foreach ($frames as $frame) {
            $function = $this->functions[$frame->name] ?? ['self' => 0, 'total' => 0, 'places' => []];
            $function['total'] += isset($seen[$frame->name]) ? 0 : $weight; // once, also when it calls itself
            $function['self'] += $frame === $last ? $weight : 0;
            $function['places'][$frame->place()] = ($function['places'][$frame->place()] ?? 0) + $weight;
            $this->functions[$frame->name] = $function;
            $seen[$frame->name] = true;
        }
    }

    private static function time(int $nanoseconds): string
    {
        $milliseconds = $nanoseconds / 1e6;
        return $milliseconds < 1000 ? sprintf('%.0f ms', $milliseconds) : sprintf('%.2f s', $milliseconds / 1000);
    }

    /** Names of files may have anything in them; a terminal obeys some of it. */
    private static function printable(string $text): string
    {
        return (string) preg_replace('/[^\x20-\x7e]/', '?', $text);
    }
}
