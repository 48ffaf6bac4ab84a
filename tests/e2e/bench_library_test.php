<?php

declare(strict_types=1);

/* What the comparisons of bench/ are made of: loads that count every fault, figures, plots, the report. */

namespace Stampede\Tests\E2e;

use Stampede\Bench\Chart;
use Stampede\Bench\CheckedLoad;
use Stampede\Bench\Figure;
use Stampede\Bench\Part;
use Stampede\Bench\Program;
use Stampede\Bench\Report as Written;
use Stampede\Bench\Requests;
use Stampede\Bench\Scale;
use function Stampede\Bench\free_port;

require __DIR__ . '/../../bench/lib/bootstrap.php';

final class bench_library_test extends EndToEndTest
{
    public function testLoadThatChecksWhatComesBack(): void
    {
        foreach (['body', 'status'] as $mistake) {
            $of = self::load($mistake, 0.5);
            $this->check("every fourth with another $mistake is wrong", $of->requests > 100 && abs($of->wrong - intdiv($this->all($of), 4)) <= 1 && $of->failed === 0, "{$this->all($of)} requests, $of->wrong wrong, $of->failed failed");
            $this->check("... and no part of the rate", abs($of->rate() * $of->seconds - ($of->requests - $of->wrong)) < 1);
        }
        $of = self::load('ends', 0.5);
        $this->check('every fourth that ends the connection has failed', $of->requests > 20 && abs($of->failed - intdiv($this->all($of) + $of->failed, 4)) <= 1 && $of->wrong === 0, "{$this->all($of)} requests, $of->failed failed");
        $of = self::load('none', 0.5);
        $this->check('chunks are put together', $of->requests > 100 && $of->bad() === 0, "$of->requests requests, $of->sample");
        $of = self::load('body', 0.5, pipelined: 8);
        $this->check('each of several at once is compared', $of->requests > 100 && abs($of->wrong - intdiv($this->all($of), 4)) <= 1, "{$this->all($of)} requests, $of->wrong wrong");
        $of = self::load('pause', 2, 200);
        $this->check('at a fixed rate the pause of a server is charged to all that were due in it', $of->percentiles['90'] > 50_000 && $of->requests + $of->late === 400, json_encode($of->percentiles) . " {$this->all($of)}");
    }

    public function testFigures(): void
    {
        $more = new Figure('a', [3.0, 1.0, 2.0], 2.5);
        $this->same('a figure is the median of its rounds', [2.0, '1.00 .. 3.00', false, false], [$more->ratio(), $more->spread(), $more->is_reached(), $more->is_lost()]);
        $less = new Figure('b', [1.2], 1.5, false);
        $this->same('... or is better when it is less', [true, true], [$less->is_reached(), $less->is_lost()]);
    }

    public function testCharts(): void
    {
        $scale = Scale::fitting([1.0, 1000.0], true, 0, 300);
        $this->same('a logarithmic axis', [0, 100, 300, [1, 10, 100, 1000]], [(int) $scale->at(1), (int) round($scale->at(10)), (int) $scale->at(1000), array_map(intval(...), $scale->marks())]);
        $plots = [
            'bars' => ['kind' => 'bars', 'title' => 'Bars & more', 'x' => 'test', 'y' => 'times', 'categories' => ['one', 'two'], 'series' => ['first' => [1.0, 2.0], 'second' => [3.0, 0.5]], 'spread' => ['first' => [[0.5, 1.5], [2.0, 2.0]]]],
            'curves' => ['kind' => 'curves', 'title' => 'Curves', 'x' => 'connections', 'y' => 'a second', 'log_x' => true, 'series' => ['first' => [[1, 10], [1000, 20]]]],
            'histogram' => ['kind' => 'histogram', 'title' => 'Histogram', 'x' => 'ms', 'y' => 'percent', 'log_x' => true, 'series' => ['first' => [[0.1, 50.0], [1.0, 50.0], [2.0, 0.0]]]],
        ];
        foreach ($plots as $kind => $plot) {
            $document = new \DOMDocument();
            $document->loadXML(Chart::draw($plot));
            $texts = array_map(static fn (\DOMElement $text): string => $text->textContent, iterator_to_array($document->getElementsByTagName('text'), false));
            $this->same("$kind: title, axes and legend can be read", [], array_values(array_diff([$plot['title'], $plot['x'], $plot['y'], ...array_keys($plot['series']), ...($plot['categories'] ?? [])], $texts)));
            $this->check("... on dark pages too", str_contains($document->textContent, 'prefers-color-scheme:dark'));
        }
    }

    public function testPartsThatFail(): void
    {
        $plots = [
            'bars' => ['kind' => 'bars', 'title' => 'Bars & more', 'x' => 'test', 'y' => 'times', 'categories' => ['one', 'two'], 'series' => ['first' => [1.0, 2.0], 'second' => [3.0, 0.5]], 'spread' => ['first' => [[0.5, 1.5], [2.0, 2.0]]]],
            'curves' => ['kind' => 'curves', 'title' => 'Curves', 'x' => 'connections', 'y' => 'a second', 'log_x' => true, 'series' => ['first' => [[1, 10], [1000, 20]]]],
            'histogram' => ['kind' => 'histogram', 'title' => 'Histogram', 'x' => 'ms', 'y' => 'percent', 'log_x' => true, 'series' => ['first' => [[0.1, 50.0], [1.0, 50.0], [2.0, 0.0]]]],
        ];
        $folder = External::folder();
        putenv("BENCH_RESULTS=$folder");
        ob_start();
        $part = new Part('sample', 'A sample', 'Nothing is measured.');
        $part->figure(new Figure('won', [2.0], 1.5));
        $part->figure(new Figure('below what is asked', [1.2], 1.5));
        $part->figure(new Figure('lost', [0.9]));
        $part->table('A table', ['a | b'], [['1 | 2']]);
        $part->plot('bars', $plots['bars']);
        $status = $part->finish();
        $failing = new Part('failing', 'Another', 'Nothing.');
        $failing->failed(1);
        $failed = $failing->finish();
        ob_end_clean();
        $path = Written::write(false);
        $text = (string) file_get_contents($path);
        [, $losses] = explode('## Where Stampede loses', $text);
        [$losses] = explode("\n## ", $losses);
        $this->same('a figure that is not reached and a request that failed make a part fail', [1, 1], [$status, $failed]);
        $this->same('the report says where it loses', [false, true, true], array_map(static fn (string $name): bool => str_contains($losses, "| $name |"), ['won', 'below what is asked', 'lost']));
        $this->check('... how many failed, and shows the plot', str_contains($text, '| failing | 1 |') && str_contains($text, '![Bars & more](sample-bars.svg)') && is_file("$folder/sample-bars.svg"), $text);
        exec('rm -rf ' . escapeshellarg($folder));
    }

    /** Loads a server that makes such mistakes. */
    private static function load(string $mistake, float $seconds, float $rate = 0, int $pipelined = 1): CheckedLoad
    {
        $port = free_port();
        $server = new Program('faulty', [PHP_BINARY, '-n', __DIR__ . '/apps/faulty_server.php', (string) $port, $mistake], $port);
        try {
            return CheckedLoad::run([$server], $port, 4, $seconds, (new Requests())->add('GET', '/', 'right', pipelined: $pipelined), $rate);
        } finally {
            $server->stop();
        }
    }

    private function all(CheckedLoad $of): int
    {
        return $of->requests + $of->late;
    }
}
