<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * bench/results/REPORT.md and its plots, made of the results of all parts that were run.
 *
 * @phpstan-import-type Specification from Chart
 * @phpstan-type Results array{name: string, title: string, about: string, smoke: bool, options: array<string, string>, at: string, seconds: int,
 *     machine: array<string, string>, figures: list<array{name: string, ratios: non-empty-list<float>, limit: float|null, more: bool, even: float, value: float|null}>,
 *     tables: list<array{title: string, headings: list<string>, rows: list<list<string>>}>, plots: array<string, Specification>, notes: list<string>, failed: int}
 */
final class Report
{
    /** In the order of the report; parts that are not named come last. */
    private const ORDER = ['founding', 'abuse', 'connection', 'symfony', 'applications', 'launcher', 'arena', 'sceptic', 'scaling'];

    /** Where results are; those of the smoke form are apart. BENCH_RESULTS names another folder. */
    public static function folder(bool $smoke): string
    {
        $root = dirname(__DIR__, 2);
        $folder = getenv('BENCH_RESULTS') ?: ($smoke ? "$root/build/bench-results" : "$root/bench/results");
        if (!is_dir($folder)) {
            mkdir($folder, 0755, true);
        }
        return $folder;
    }

    /** @return string the path of the report; empty when nothing was measured yet */
    public static function write(bool $smoke): string
    {
        $folder = self::folder($smoke);
        $parts = self::parts($folder);
        if ($parts === []) {
            return '';
        }
        $text = self::head($parts) . self::figures($parts) . self::losses($parts);
        foreach ($parts as $part) {
            $text .= self::part($part);
            foreach ($part['plots'] as $name => $plot) {
                file_put_contents("$folder/{$part['name']}-$name.svg", Chart::draw($plot));
            }
        }
        file_put_contents("$folder/REPORT.md", $text);
        return "$folder/REPORT.md";
    }

    /** @return list<Results> */
    private static function parts(string $folder): array
    {
        $parts = [];
        foreach (glob("$folder/*.json") ?: [] as $file) {
            /** @var Results $results */
            $results = json_decode((string) file_get_contents($file), true, 64, JSON_THROW_ON_ERROR);
            $parts[] = $results;
        }
        $place = static fn (array $part): int => (int) array_search($part['name'], [...self::ORDER, $part['name']], true);
        usort($parts, static fn (array $a, array $b): int => $place($a) <=> $place($b));
        return $parts;
    }

    /** @param non-empty-list<Results> $parts */
    private static function head(array $parts): string
    {
        $text = "# Stampede beside other servers\n\n"
            . "Written by `make bench`; `make bench ONLY=name` repeats one part. All servers of a part ran on this machine in one run, in turns, and every response was\n"
            . "checked: failed and wrong ones are counted. A figure is the median of the ratios of the rounds, with the smallest and the largest of them. Only ratios\n"
            . "carry over to other machines. The configuration of every server is in `bench/conf`, the rest of each part in its folder of `bench`.\n\n";
        if (array_filter($parts, static fn (array $part): bool => $part['smoke']) !== []) {
            $text .= "**This is a smoke run**: it shows that everything works; its figures mean nothing.\n\n";
        }
        $rows = [];
        foreach (end($parts)['machine'] as $name => $value) {
            $rows[] = [$name, $value];
        }
        return $text . self::table(['machine', ''], $rows);
    }

    /** @param list<Results> $parts */
    private static function figures(array $parts): string
    {
        $rows = [];
        foreach ($parts as $part) {
            foreach (array_map(Figure::from(...), $part['figures']) as $figure) {
                if ($figure->limit !== null) {
                    $rows[] = [$part['name'], $figure->name, Figure::number($figure->ratio()), $figure->spread(), ($figure->more ? '≥ ' : '≤ ') . Figure::number($figure->limit), $figure->is_reached() ? 'yes' : '**no**'];
                }
            }
        }
        $failed = [];
        foreach ($parts as $part) {
            $failed[] = [$part['name'], (string) $part['failed'], $part['at'], "{$part['seconds']} s"];
        }
        return "## Figures that are asked for\n\n" . self::table(['part', 'figure', 'ratio', 'spread', 'asked', 'reached'], $rows)
            . self::table(['part', "Stampede's failed or wrong responses", 'measured', 'took'], $failed);
    }

    /** @param list<Results> $parts */
    private static function losses(array $parts): string
    {
        $rows = [];
        foreach ($parts as $part) {
            foreach (array_map(Figure::from(...), $part['figures']) as $figure) {
                if ($figure->is_lost() || !$figure->is_reached()) {
                    $why = $figure->is_lost() ? 'behind' : 'ahead, by less than is asked';
                    $rows[] = [$part['name'], $figure->name, Figure::number($figure->ratio()), $figure->spread(), $figure->limit === null ? '' : Figure::number($figure->limit), $why];
                }
            }
        }
        return "## Where Stampede loses\n\n" . ($rows === [] ? "Nowhere in this run.\n\n" : self::table(['part', 'figure', 'ratio', 'spread', 'asked', ''], $rows));
    }

    /** @param Results $part */
    private static function part(array $part): string
    {
        $text = "## {$part['title']}\n\n{$part['about']}\n\n";
        foreach ($part['options'] as $option => $value) {
            $text .= "This run was made with `--$option=$value`. ";
        }
        $text .= $part['options'] === [] ? '' : "\n\n";
        foreach ($part['plots'] as $name => $plot) {
            $text .= "![{$plot['title']}]({$part['name']}-$name.svg)\n\n";
        }
        $rows = [];
        foreach (array_map(Figure::from(...), $part['figures']) as $figure) {
            $rows[] = [$figure->name, Figure::number($figure->ratio()), $figure->spread(), $figure->more ? 'more is better' : 'less is better'];
        }
        $text .= $rows === [] ? '' : self::table(['figure', 'ratio', 'spread', ''], $rows);
        foreach ($part['tables'] as $table) {
            $text .= "**{$table['title']}**\n\n" . self::table($table['headings'], $table['rows']);
        }
        foreach ($part['notes'] as $note) {
            $text .= "- $note\n";
        }
        return $part['notes'] === [] ? $text : "$text\n";
    }

    /**
     * @param list<string> $headings
     * @param list<list<string>> $rows
     */
    private static function table(array $headings, array $rows): string
    {
        $text = '| ' . implode(' | ', $headings) . " |\n|" . str_repeat(' --- |', count($headings)) . "\n";
        foreach ($rows as $row) {
            $text .= '| ' . implode(' | ', array_map(static fn (string $cell): string => str_replace('|', '\|', $cell), $row)) . " |\n";
        }
        return "$text\n";
    }
}
