<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli;
use Swoole\ConnectionPool;

/**
 * A pool of MysqliProxy. A connection that comes back inside a transaction is rolled back; one that is dead, or that
 * another coroutine is using, is dropped.
 */
class MysqliPool extends ConnectionPool
{
    protected MysqliConfig $config;

    private string $cleanup = '';

    public function __construct(MysqliConfig $config, int $size = self::DEFAULT_SIZE)
    {
        $this->config = $config;
        parent::__construct(static fn (): mysqli => self::connect($config), $size, MysqliProxy::class);
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
        if ($connection instanceof MysqliProxy && $connection->isReusable()) {
            $connection->reset();
            if ($this->cleanup !== '') {
                $connection->cleanUp($this->cleanup);
            }
        }
        return !$connection instanceof MysqliProxy || $connection->isReusable();
    }

    private static function connect(MysqliConfig $config): mysqli
    {
        $mysqli = new mysqli();
        foreach ($config->getOptions() as $option => $value) {
            $mysqli->options($option, $value);
        }
        $mysqli->real_connect(
            $config->getHost(),
            $config->getUsername(),
            $config->getPassword(),
            $config->getDbname(),
            $config->getPort(),
            $config->getUnixSocket(),
        );
        if ($mysqli->connect_errno !== 0) {
            throw new MysqliException((string) $mysqli->connect_error, $mysqli->connect_errno);
        }
        $mysqli->set_charset($config->getCharset());
        return $mysqli;
    }
}
