<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Config\ListenAddress;
use Stampede\Supervisor\ServerStateFile;
use Stampede\Tls\Certificate;
use Swoole\Http\Server;
use Swoole\Server\Port;

/** What others are told of the running server: where it listens, and which process it is. */
final readonly class ServerDescription
{
    private int $startedAt;

    public function __construct(private ServedApplication $application)
    {
        $this->startedAt = time();
    }

    public function state(Server $server): ServerStateFile
    {
        $project = $this->application->project;
        return new ServerStateFile(
            $server->master_pid,
            $this->urls($server),
            $project->directory,
            $project->kind->value,
            $project->isolation->value,
            $this->application->options->workers(),
            $this->startedAt,
            (string) ($server->setting['control_socket'] ?? ''),
            ServerStateFile::birthOf($server->master_pid),
            $this->beside(),
            array_map(static fn (Certificate $each): array => [$each->file, $each->keyFile], $this->application->https?->certificates->all ?? []),
        );
    }

    /** For the user, when the server serves. */
    public function sentence(Server $server): string
    {
        $alone = $this->urlsOf($server, $this->application->addressesOfWorkers, count($this->application->addresses));
        $parts = ['Listening on ' . implode(', ', $this->urls($server)), ...($alone === [] ? [] : ['each worker alone on ' . implode(', ', $alone)]), ...$this->beside()];
        return implode('; ', $parts);
    }

    /** @return list<string> */
    private function urls(Server $server): array
    {
        return $this->urlsOf($server, $this->application->addresses, 0);
    }

    /**
     * With the port that was picked, where any was asked for.
     *
     * @param list<ListenAddress> $addresses
     * @param int $from the number of the server's port that is the first one's
     * @return list<string>
     */
    private function urlsOf(Server $server, array $addresses, int $from): array
    {
        return array_map(static fn (ListenAddress $address, Port $port): string => $address->url($port->port), $addresses, array_slice($server->ports, $from, count($addresses)));
    }

    /** @return list<string> addresses that are not for the application */
    private function beside(): array
    {
        $beside = array_map(static fn (ListenAddress $address): string => "redirects to https on {$address->url($address->port)}", $this->application->https->redirected ?? []);
        $health = $this->application->options->text('health-listen');
        return $health === '' ? $beside : [...$beside, 'health on ' . ListenAddress::parse($health)->url(ListenAddress::parse($health)->port)];
    }
}
