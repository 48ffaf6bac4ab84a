<?php

declare(strict_types=1);

namespace Swoole\Database;

use PDO;
use Swoole\ConnectionPool;

/**
 * A pool of PDOProxy. A connection that comes back inside a transaction is rolled back; one that is dead, or that
 * another coroutine is using, is dropped.
 */
class PDOPool extends ConnectionPool
{
    protected PDOConfig $config;

    private string $cleanup = '';

    public function __construct(PDOConfig $config, int $size = self::DEFAULT_SIZE)
    {
        $this->config = $config;
        parent::__construct(static fn (): PDO => self::connect($config), $size, PDOProxy::class);
    }

    /**
     * A PDOProxy for the caller alone, until put(). Waits at most $timeout seconds when all are in use; false when the
     * time is over.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        return parent::get($timeout);
    }

    /**
     * A statement for each connection that comes back, to end what its user has left in the session; '' for none. Costs
     * a question to the server each time. A connection on which it fails is dropped.
     */
    public function setCleanup(string $sql): static
    {
        $this->cleanup = $sql;
        return $this;
    }

    protected function isReusable($connection): bool
    {
        if ($connection instanceof PDOProxy && $connection->isReusable()) {
            $connection->reset();
            if ($this->cleanup !== '') {
                $connection->cleanUp($this->cleanup);
            }
        }
        return !$connection instanceof PDOProxy || $connection->isReusable();
    }

    /** Whoever gave it back may have used it since. */
    protected function isAlive($connection, float $idle): bool
    {
        if ($connection instanceof PDOProxy && $connection->isReusable()) {
            $connection->reset();
        }
        return !$connection instanceof PDOProxy || $connection->isReusable();
    }

    /** Persistent connections of PDO are shared by those that ask for the same: the pool keeps them itself. */
    private static function connect(PDOConfig $config): PDO
    {
        $options = $config->getOptions();
        unset($options[PDO::ATTR_PERSISTENT]);
        return new PDO(self::source($config), $config->getUsername(), $config->getPassword(), $options);
    }

    private static function source(PDOConfig $config): string
    {
        $driver = $config->getDriver();
        $name = $config->getDbname();
        $at = "host={$config->getHost()};port={$config->getPort()}";
        if ($driver === 'pgsql') {
            $at = $config->hasUnixSocket() ? 'host=' . $config->getUnixSocket() . ";port={$config->getPort()}" : $at;
            $encoding = $config->getCharset() === 'utf8mb4' ? 'UTF8' : $config->getCharset();
            return "pgsql:$at;dbname=$name;options='--client_encoding=$encoding'";
        }
        return match ($driver) {
            'sqlite', 'sqlite2', 'odbc' => "$driver:$name",
            'oci' => "oci:dbname=//{$config->getHost()}:{$config->getPort()}/$name;charset={$config->getCharset()}",
            default => "$driver:" . ($config->hasUnixSocket() ? "unix_socket={$config->getUnixSocket()}" : $at)
                . ";dbname=$name;charset={$config->getCharset()}",
        };
    }
}
