<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** What a profile is written as. */
enum Format: string
{
    case Text = 'text';
    case Collapsed = 'collapsed';
    case Speedscope = 'speedscope';
    case Pprof = 'pprof';

    public function write(Profile $profile): string
    {
        return match ($this) {
            self::Text => (new Summary($profile))->text(),
            self::Collapsed => self::collapsed($profile),
            self::Speedscope => self::speedscope($profile),
            self::Pprof => (new PprofEncoder($profile))->encode(),
        };
    }

    /** A line for each stack, as flame graphs are made of; microseconds. */
    private static function collapsed(Profile $profile): string
    {
        $text = '';
        foreach ($profile->heaviest() as $stack) {
            $names = array_map(static fn (int $number): string => self::collapsedName($profile->frames[$number]), $stack->frames);
            $text .= implode(';', $names) . ' ' . max(1, intdiv($profile->weight($stack), 1000)) . "\n";
        }
        return $text;
    }

    private static function collapsedName(Frame $frame): string
    {
        $name = $frame->file === '' ? $frame->name : "{$frame->name} ({$frame->place()})";
        return strtr($name, [';' => ',', "\n" => ' ', "\r" => ' ']);
    }

    private static function speedscope(Profile $profile): string
    {
        $stacks = $profile->heaviest();
        $weights = array_map($profile->weight(...), $stacks);
        return json_encode([
            '$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'name' => 'stampede ' . date('Y-m-d H:i:s', (int) $profile->startedAt),
            'exporter' => 'stampede',
            'activeProfileIndex' => 0,
            'shared' => ['frames' => array_map(static fn (Frame $frame): array => ['name' => $frame->name] + ($frame->file === '' ? [] : ['file' => $frame->file, 'line' => $frame->line]), $profile->frames)],
            'profiles' => [[
                'type' => 'sampled',
                'name' => $profile->mode === Mode::Cpu ? 'CPU' : 'wall clock',
                'unit' => 'nanoseconds',
                'startValue' => 0,
                'endValue' => array_sum($weights),
                'samples' => array_map(static fn (Stack $stack): array => $stack->frames, $stacks),
                'weights' => $weights,
            ]],
        ], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR) . "\n";
    }
}
