<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * A plot as an SVG picture that can be read on light and on dark pages. What it shows is a specification that a part's results keep:
 * grouped bars, curves over a number, or histograms.
 *
 * @phpstan-type Specification array{kind: 'bars'|'curves'|'histogram', title: string, x: string, y: string, log_x?: bool, log_y?: bool,
 *     categories?: list<string>, series: array<string, list<float|array{float, float}>>, spread?: array<string, list<array{float, float}>>}
 */
final class Chart
{
    private const WIDTH = 820;
    private const HEIGHT = 420;
    private const LEFT = 74;
    private const RIGHT = 20;
    private const TOP = 66;
    private const BOTTOM = 62;
    private const COLOURS = 6;
    private const STYLE = <<<'CSS'
        .back{fill:#ffffff} text{font:12px system-ui,sans-serif;fill:#24292f} .title{font-size:15px;font-weight:600} .grid{stroke:#d8dee4;stroke-width:1}
        .axis{stroke:#57606a;stroke-width:1} .spread{stroke:#24292f;stroke-width:1.2} .line{fill:none;stroke-width:2}
        .c0{fill:#0969da;stroke:#0969da} .c1{fill:#bc4c00;stroke:#bc4c00} .c2{fill:#1a7f37;stroke:#1a7f37} .c3{fill:#8250df;stroke:#8250df} .c4{fill:#bf8700;stroke:#bf8700} .c5{fill:#cf222e;stroke:#cf222e}
        .line.c0,.line.c1,.line.c2,.line.c3,.line.c4,.line.c5{fill:none}
        @media (prefers-color-scheme:dark){.back{fill:#0d1117} text{fill:#e6edf3} .grid{stroke:#30363d} .axis{stroke:#8b949e} .spread{stroke:#e6edf3}
        .c0{fill:#58a6ff;stroke:#58a6ff} .c1{fill:#f0883e;stroke:#f0883e} .c2{fill:#56d364;stroke:#56d364} .c3{fill:#bc8cff;stroke:#bc8cff} .c4{fill:#e3b341;stroke:#e3b341} .c5{fill:#ff7b72;stroke:#ff7b72}}
        CSS;

    private string $shapes = '';
    private Scale $vertical;

    /** @param Specification $plot */
    private function __construct(private readonly array $plot)
    {
        $this->vertical = Scale::fitting($this->heights(), $plot['log_y'] ?? false, self::HEIGHT - self::BOTTOM, self::TOP);
    }

    /** @param Specification $plot */
    public static function draw(array $plot): string
    {
        $chart = new self($plot);
        $chart->vertical_axis();
        match ($plot['kind']) {
            'bars' => $chart->bars(),
            'curves' => $chart->curves(),
            'histogram' => $chart->histogram(),
        };
        $chart->frame();
        return $chart->document();
    }

    /** @return list<float> */
    private function heights(): array
    {
        $heights = [];
        foreach ($this->plot['series'] as $values) {
            foreach ($values as $value) {
                $heights[] = is_array($value) ? (float) $value[1] : (float) $value;
            }
        }
        foreach ($this->plot['spread'] ?? [] as $ends) {
            array_push($heights, ...array_map(floatval(...), array_column($ends, 1)));
        }
        return $heights;
    }

    private function bars(): void
    {
        $categories = $this->plot['categories'] ?? [];
        $slot = (self::WIDTH - self::LEFT - self::RIGHT) / max(1, count($categories));
        $bar = $slot * 0.8 / max(1, count($this->plot['series']));
        $ground = self::HEIGHT - self::BOTTOM;
        foreach ($categories as $i => $category) {
            $this->label(self::LEFT + ($i + 0.5) * $slot, $ground + 17, $category, $slot);
        }
        foreach (array_keys($this->plot['series']) as $number => $name) {
            foreach ($this->points($name) as $i => [, $value]) {
                $x = self::LEFT + $i * $slot + $slot * 0.1 + $number * $bar;
                $y = $this->vertical->at($value);
                $this->shapes .= sprintf('<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s</title></rect>', self::colour($number), $x, $y, $bar * 0.94, $ground - $y, self::escaped("$name: " . Scale::text($value)));
                $this->spread($name, $i, $x + $bar * 0.47);
            }
        }
    }

    private function spread(string $name, int $index, float $x): void
    {
        $ends = $this->plot['spread'][$name][$index] ?? null;
        if ($ends !== null && $ends[0] < $ends[1]) {
            $this->shapes .= sprintf('<path class="spread" d="M%.1f %.1fV%.1f"/>', $x, $this->vertical->at($ends[0]), $this->vertical->at($ends[1]));
        }
    }

    private function curves(): void
    {
        $horizontal = $this->horizontal_axis();
        foreach (array_keys($this->plot['series']) as $number => $name) {
            $path = '';
            foreach ($this->points($name) as [$x, $y]) {
                $path .= sprintf('%s%.1f %.1f', $path === '' ? 'M' : 'L', $horizontal->at($x), $this->vertical->at($y));
                $this->shapes .= sprintf('<circle class="%s" cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>', self::colour($number), $horizontal->at($x), $this->vertical->at($y), self::escaped("$name: " . Scale::text($x) . ', ' . Scale::text($y)));
            }
            $this->shapes .= sprintf('<path class="line %s" d="%s"/>', self::colour($number), $path);
        }
    }

    /** Each point is the beginning of a step and its height. */
    private function histogram(): void
    {
        $horizontal = $this->horizontal_axis();
        foreach (array_keys($this->plot['series']) as $number => $name) {
            $path = '';
            foreach ($this->points($name) as [$x, $y]) {
                $path .= sprintf($path === '' ? 'M%.1f %.1f' : 'H%.1fV%.1f', $horizontal->at($x), $this->vertical->at($y));
            }
            $this->shapes .= sprintf('<path class="line %s" d="%s"/>', self::colour($number), $path);
        }
    }

    /** @return list<array{float, float}> */
    private function points(string $name): array
    {
        $points = [];
        foreach ($this->plot['series'][$name] as $index => $value) {
            $points[] = is_array($value) ? [(float) $value[0], (float) $value[1]] : [(float) $index, (float) $value];
        }
        return $points;
    }

    private function horizontal_axis(): Scale
    {
        $values = [];
        foreach (array_keys($this->plot['series']) as $name) {
            array_push($values, ...array_column($this->points($name), 0));
        }
        $scale = Scale::fitting($values, $this->plot['log_x'] ?? false, self::LEFT, self::WIDTH - self::RIGHT);
        foreach ($scale->marks() as $mark) {
            $x = $scale->at($mark);
            $this->shapes .= sprintf('<path class="grid" d="M%.1f %dV%d"/>', $x, self::TOP, self::HEIGHT - self::BOTTOM);
            $this->label($x, self::HEIGHT - self::BOTTOM + 17, Scale::text($mark));
        }
        return $scale;
    }

    private function vertical_axis(): void
    {
        foreach ($this->vertical->marks() as $mark) {
            $y = $this->vertical->at($mark);
            $this->shapes .= sprintf('<path class="grid" d="M%d %.1fH%d"/>', self::LEFT, $y, self::WIDTH - self::RIGHT);
            $this->shapes .= sprintf('<text x="%d" y="%.1f" text-anchor="end">%s</text>', self::LEFT - 7, $y + 4, Scale::text($mark));
        }
    }

    private function frame(): void
    {
        $ground = self::HEIGHT - self::BOTTOM;
        $this->shapes .= sprintf('<path class="axis" d="M%d %dV%dH%d" fill="none"/>', self::LEFT, self::TOP, $ground, self::WIDTH - self::RIGHT);
        $this->shapes .= sprintf('<text class="title" x="%d" y="24">%s</text>', self::LEFT, self::escaped($this->plot['title']));
        $this->label((self::LEFT + self::WIDTH - self::RIGHT) / 2, self::HEIGHT - 10, $this->plot['x']);
        $middle = (self::TOP + $ground) / 2;
        $this->shapes .= sprintf('<text x="16" y="%.1f" text-anchor="middle" transform="rotate(-90 16 %1$.1f)">%s</text>', $middle, self::escaped($this->plot['y']));
        $x = (float) self::LEFT;
        foreach (array_keys($this->plot['series']) as $number => $name) {
            $this->shapes .= sprintf('<rect class="%s" x="%.1f" y="38" width="11" height="11"/><text x="%.1f" y="48">%s</text>', self::colour($number), $x, $x + 16, self::escaped($name));
            $x += 34 + 7.2 * strlen($name);
        }
    }

    /** A centred text; one that is too long for its room is put on two lines. */
    private function label(float $x, float $y, string $text, float $room = INF): void
    {
        $lines = strlen($text) * 6.2 > $room ? explode("\n", wordwrap($text, max(4, (int) ($room / 6.2))), 3) : [$text];
        foreach ($lines as $i => $line) {
            $this->shapes .= sprintf('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>', $x, $y + 13 * $i, self::escaped(str_replace("\n", ' ', $line)));
        }
    }

    private function document(): string
    {
        $size = self::WIDTH . ' ' . self::HEIGHT;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 $size\" role=\"img\" aria-label=\"" . self::escaped($this->plot['title']) . '"><style>' . self::STYLE . '</style>'
            . '<rect class="back" width="100%" height="100%"/>' . $this->shapes . "</svg>\n";
    }

    private static function colour(int $number): string
    {
        return 'c' . $number % self::COLOURS;
    }

    private static function escaped(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_XML1);
    }
}
