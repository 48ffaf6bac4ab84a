<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Application\Project;
use Stampede\Application\RouteTable;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Https\HttpsSettings;

/** What is served, where and how, as it was known before the server was made. */
final readonly class ServedApplication
{
    private const REPLACE_MORE = 5; // seconds that a replaced worker stays for a request after its time limit
    private const REPLACE_TIME = 60; // seconds, where requests have no time limit

    public RouteTable $routes;
    /** @var list<ListenAddress> */
    public array $addresses;
    /** @var list<ListenAddress> of one worker alone, by its number */
    public array $addressesOfWorkers;
    public ?HttpsSettings $https;

    public function __construct(public Project $project, public Configuration $options)
    {
        $this->routes = $project->routes($options);
        $this->addresses = $options->addresses();
        $this->addressesOfWorkers = $options->addressesOfWorkers();
        $this->https = HttpsSettings::of($options);
    }

    public function isPlain(): bool
    {
        return $this->project->kind === ApplicationKind::Plain;
    }

    public function isProduction(): bool
    {
        return $this->options->text('env') === 'prod';
    }

    /** Whether pages reload themselves when there is new code. */
    public function reloadsPages(): bool
    {
        return $this->options->is('watch') && !$this->isProduction();
    }

    /** Whether responses say what their requests have waited for. */
    public function showsTiming(): bool
    {
        $given = $this->options->text('server-timing');
        return $given === 'on' || ($given === 'auto' && !$this->isProduction());
    }

    public function bootTimeout(): float
    {
        return (float) $this->options->get('boot-timeout');
    }

    /** Seconds until a request that has begun has certainly ended. */
    public function longestRequest(): int
    {
        return $this->routes->longest() > 0 ? (int) ceil($this->routes->longest()) + self::REPLACE_MORE : self::REPLACE_TIME;
    }

    /** How many requests of an isolation a worker handles at once; 0: any number. */
    public function concurrency(IsolationMode $isolation): int
    {
        return $isolation->places($this->options->number('processes'));
    }

    /**
     * Whether a worker counts its requests itself, instead of the server: clients of endpoints and open pages would count for as long as they stay, and routes
     * of several isolations have several numbers.
     */
    public function countsRequests(): bool
    {
        return $this->options->text('endpoints') !== '' || $this->reloadsPages() || !$this->routes->isUniform();
    }

    /** Of the requests that the workers handle themselves; null: there are none. */
    public function isolationInWorkers(): ?IsolationMode
    {
        foreach ([IsolationMode::Coroutine, IsolationMode::Sequential] as $isolation) {
            if ($this->routes->uses($isolation)) {
                return $isolation;
            }
        }
        return null;
    }

    /** The whole path; empty: there are no endpoints. */
    public function endpointsFile(): string
    {
        $file = $this->options->text('endpoints');
        return $file === '' || str_starts_with($file, '/') ? $file : "{$this->project->directory}/{$file}";
    }
}
