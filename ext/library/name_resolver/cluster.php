<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

/** The nodes of a service. Each that is taken goes, so that a client which cannot connect takes another one. */
class Cluster
{
    /** @var list<array{host: string, port: int, weight: int}> */
    private array $nodes = [];

    /**
     * @param string $host an IP address
     * @param int $weight 0 to 100: how often it is taken first, beside the others
     * @throws Exception when one of them is none
     */
    public function add(string $host, int $port, int $weight = 100): void
    {
        if (filter_var($host, FILTER_VALIDATE_IP) === false) {
            throw new Exception("\"{$host}\" is no IP address.");
        }
        if ($port < 0 || $port > 65535) {
            throw new Exception("{$port} is no port: it must be from 0 to 65535.");
        }
        if ($weight < 0 || $weight > 100) {
            throw new Exception("{$weight} is no weight: it must be from 0 to 100.");
        }
        $this->nodes[] = ['host' => $host, 'port' => $port, 'weight' => $weight];
    }

    /** @return array{host: string, port: int, weight: int}|false false when there is none left */
    public function pop()
    {
        return $this->nodes === [] ? false : array_splice($this->nodes, $this->choose(), 1)[0];
    }

    public function count(): int
    {
        return count($this->nodes);
    }

    private function choose(): int
    {
        $left = mt_rand(1, max(1, array_sum(array_column($this->nodes, 'weight'))));
        foreach ($this->nodes as $place => ['weight' => $weight]) {
            $left -= $weight;
            if ($left <= 0) {
                return $place;
            }
        }
        return mt_rand(0, count($this->nodes) - 1);  // all weigh nothing
    }
}
