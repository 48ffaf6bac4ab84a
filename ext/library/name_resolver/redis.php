<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

use Swoole\NameResolver;

/** Services in sets of a Redis server, one for each name. Needs the extension redis. */
class Redis extends NameResolver
{
    private const DEFAULT_PORT = 6379;

    /** @param string $url "redis://[user:][password@]host[:port][/database]" or "tcp://..." */
    public function __construct(string $url, string $prefix = 'swoole:service:')
    {
        parent::__construct($url, $prefix);
        if (!extension_loaded('redis')) {
            throw new Exception('The name resolver for Redis needs the PHP extension redis.');
        }
    }

    public function join(string $name, string $ip, int $port, array $options = []): bool
    {
        return $this->connect()->sAdd($this->prefix . $name, "{$ip}:{$port}") !== false;
    }

    public function leave(string $name, string $ip, int $port): bool
    {
        return $this->connect()->sRem($this->prefix . $name, "{$ip}:{$port}") !== false;
    }

    public function getCluster(string $name): ?Cluster
    {
        $nodes = $this->connect()->sMembers($this->prefix . $name);
        if (!is_array($nodes) || $nodes === []) {
            return null;
        }
        $cluster = new Cluster();
        foreach ($nodes as $node) {
            $end = (int) strrpos($node, ':');
            $cluster->add(trim(substr($node, 0, $end), '[]'), (int) substr($node, $end + 1));
        }
        return $cluster;
    }

    /**
     * A connection of this call alone.
     *
     * @return \Redis
     * @throws Exception when Redis refuses
     */
    protected function connect()
    {
        $redis = new \Redis();
        try {
            $redis->connect((string) $this->info['host'], (int) ($this->info['port'] ?? self::DEFAULT_PORT), 5.0);
            if (isset($this->info['pass'])) {
                $redis->auth(isset($this->info['user']) && $this->info['user'] !== '' ? [$this->info['user'], $this->info['pass']] : (string) $this->info['pass']);
            }
            if (($database = (int) ltrim((string) ($this->info['path'] ?? ''), '/')) > 0) {
                $redis->select($database);
            }
        } catch (\RedisException $error) {
            throw new Exception("{$this->info['host']}: {$error->getMessage()}", 0, $error);
        }
        return $redis;
    }
}
