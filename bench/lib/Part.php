<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * One part of the comparisons while it runs: its options, its progress in the terminal, and its results, which are a file that bench/report reads.
 *
 * @phpstan-import-type Specification from Chart
 */
final class Part
{
    private const OWN_OPTIONS = ['smoke', 'help'];

    public readonly bool $smoke;
    /** @var array<string, string> */
    private array $options = [];
    /** @var list<Figure> */
    private array $figures = [];
    /** @var list<array{title: string, headings: list<string>, rows: list<list<string>>}> */
    private array $tables = [];
    /** @var array<string, Specification> */
    private array $plots = [];
    /** @var list<string> */
    private array $notes = [];
    private int $failed = 0;
    private float $began;
    private int $steps = 0;
    private int $done = 0;

    /**
     * @param string $name of its folder
     * @param string $about what it measures and how, for the report
     * @param array<string, string> $options name => what it is, each with a value
     */
    public function __construct(public readonly string $name, private readonly string $title, private readonly string $about, array $options = [])
    {
        $given = getopt('', [...self::OWN_OPTIONS, ...array_map(static fn (string $option): string => "$option:", array_keys($options))]) ?: [];
        $this->smoke = isset($given['smoke']);
        foreach (array_keys($options) as $option) {
            if (is_string($given[$option] ?? null)) {
                $this->options[$option] = $given[$option];
            }
        }
        $this->began = microtime(true);
        if (isset($given['help'])) {
            $this->help($options);
        }
    }

    /** @param array<string, string> $options */
    private function help(array $options): never
    {
        echo "$this->title\nusage: bench/$this->name/run [--smoke]\n";
        foreach ($options as $option => $about) {
            echo str_pad("  --$option=", 18) . "$about\n";
        }
        exit(0);
    }

    public function number(string $option, float $usual, float $smoke): float
    {
        return (float) ($this->options[$option] ?? ($this->smoke ? $smoke : $usual));
    }

    /** @return list<string>|null the names that an option lists; null: all */
    public function names(string $option): ?array
    {
        return isset($this->options[$option]) ? explode(',', $this->options[$option]) : null;
    }

    public function expect_steps(int $steps): void
    {
        $this->steps = $steps;
    }

    /** Says what was measured last, how far the part is and how long it will last. */
    public function step(string $text): void
    {
        $this->done++;
        $took = microtime(true) - $this->began;
        $left = $this->done < $this->steps ? sprintf(', about %d s left', $took / $this->done * ($this->steps - $this->done)) : '';
        printf("  [%d/%d%s] %s\n", $this->done, max($this->steps, $this->done), $left, $text);
    }

    public function figure(Figure $figure): void
    {
        $this->figures[] = $figure;
        $limit = $figure->limit === null ? '' : sprintf(', %s %s%s', $figure->more ? 'at least' : 'at most', Figure::number($figure->limit), $figure->is_reached() ? '' : '  <-- not reached');
        printf("%-70s %8s (%s)%s\n", $figure->name, Figure::number($figure->ratio()), $figure->spread(), $limit);
    }

    /**
     * @param list<string> $headings
     * @param list<list<string>> $rows
     */
    public function table(string $title, array $headings, array $rows): void
    {
        $this->tables[] = ['title' => $title, 'headings' => $headings, 'rows' => $rows];
    }

    /** @param Specification $plot */
    public function plot(string $name, array $plot): void
    {
        $this->plots[$name] = $plot;
    }

    public function note(string $text): void
    {
        $this->notes[] = $text;
    }

    /** Requests of Stampede that failed, or were answered wrongly: none may. */
    public function failed(int $requests): void
    {
        $this->failed += $requests;
    }

    /** Writes the results. @return int the exit status: 1 when requests failed or, in the long form, a figure was not reached */
    public function finish(): int
    {
        $folder = Report::folder($this->smoke);
        $data = [
            'name' => $this->name, 'title' => $this->title, 'about' => $this->about, 'smoke' => $this->smoke, 'options' => $this->options,
            'at' => gmdate('Y-m-d H:i') . ' UTC', 'seconds' => (int) (microtime(true) - $this->began), 'machine' => Machine::describe(),
            'figures' => array_map(static fn (Figure $figure): array => $figure->data(), $this->figures),
            'tables' => $this->tables, 'plots' => $this->plots, 'notes' => $this->notes, 'failed' => $this->failed,
        ];
        file_put_contents("$folder/$this->name.json", json_encode($data, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR) . "\n");
        $missed = count(array_filter($this->figures, static fn (Figure $figure): bool => !$figure->is_reached()));
        printf("%s: %d figures, %d not reached, %d requests failed; %s\n", $this->name, count($this->figures), $missed, $this->failed, "$folder/$this->name.json");
        return $this->failed > 0 || (!$this->smoke && $missed > 0) ? 1 : 0;
    }
}
