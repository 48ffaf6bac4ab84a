<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

use Swoole\Coroutine\Http\ClientProxy;
use Swoole\NameResolver;

/** Services of a Consul agent, by its HTTP API. */
class Consul extends NameResolver
{
    public function join(string $name, string $ip, int $port, array $options = []): bool
    {
        $weight = $options['weight'] ?? 100;
        unset($options['weight']);
        return $this->checkResponse($this->put('register', [
            'ID' => $this->idOf($name, $ip, $port),
            'Name' => $this->prefix . $name,
            'Address' => $ip,
            'Port' => $port,
            'EnableTagOverride' => false,
            'Weights' => ['Passing' => $weight, 'Warning' => 1],
        ] + $options));
    }

    public function leave(string $name, string $ip, int $port): bool
    {
        return $this->checkResponse($this->put('deregister/' . rawurlencode($this->idOf($name, $ip, $port))));
    }

    /** The node stays known, but counts as one that does not work. */
    public function enableMaintenanceMode(string $name, string $ip, int $port): bool
    {
        return $this->checkResponse($this->put('maintenance/' . rawurlencode($this->idOf($name, $ip, $port)) . '?enable=true'));
    }

    public function getCluster(string $name): ?Cluster
    {
        $response = $this->request("/v1/catalog/service/" . rawurlencode($this->prefix . $name), 'GET');
        $this->checkResponse($response);
        $nodes = json_decode($response->getBody(), true);
        if (!is_array($nodes) || $nodes === []) {
            return null;
        }
        $cluster = new Cluster();
        foreach ($nodes as $node) {
            // A service without an address of its own is where its agent is.
            $cluster->add(($node['ServiceAddress'] ?? '') ?: $node['Address'], (int) $node['ServicePort'], (int) ($node['ServiceWeights']['Passing'] ?? 100));
        }
        return $cluster;
    }

    private function idOf(string $name, string $ip, int $port): string
    {
        return "{$this->prefix}{$name}_{$ip}:{$port}";
    }

    /** @param array<string, mixed> $fields */
    private function put(string $path, array $fields = []): ClientProxy
    {
        return $this->request("/v1/agent/service/{$path}", 'PUT', (string) json_encode((object) $fields), ['Content-Type' => 'application/json']);
    }
}
