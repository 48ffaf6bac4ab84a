<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

use Swoole\NameResolver;

/** Services of a Nacos server, by its HTTP API, version 1. */
class Nacos extends NameResolver
{
    public function join(string $name, string $ip, int $port, array $options = []): bool
    {
        $path = $this->instance($name, ['ip' => $ip, 'port' => $port, 'weight' => $options['weight'] ?? 100] + $options);
        return $this->checkResponse($this->request($path, 'POST', ''));
    }

    public function leave(string $name, string $ip, int $port): bool
    {
        return $this->checkResponse($this->request($this->instance($name, ['ip' => $ip, 'port' => $port]), 'DELETE'));
    }

    public function getCluster(string $name): ?Cluster
    {
        $response = $this->request("/nacos/v1/ns/instance/list?" . http_build_query(['serviceName' => $this->prefix . $name]), 'GET');
        $this->checkResponse($response);
        $nodes = json_decode($response->getBody(), true)['hosts'] ?? [];
        if ($nodes === []) {
            return null;
        }
        $cluster = new Cluster();
        foreach ($nodes as $node) {
            if (($node['enabled'] ?? true) && ($node['healthy'] ?? true)) {
                $cluster->add($node['ip'], (int) $node['port'], (int) min(100, $node['weight'] ?? 100));
            }
        }
        return $cluster;
    }

    /** @param array<string, mixed> $fields */
    private function instance(string $name, array $fields): string
    {
        return "/nacos/v1/ns/instance?" . http_build_query($fields + ['serviceName' => $this->prefix . $name]);
    }
}
