<?php

declare(strict_types=1);

namespace Swoole\Process;

/**
 * Runs a different function in each worker of a pool: add() them all, then start().
 */
class Manager
{
    /** @var Pool|null */
    protected $pool;

    /** @var int */
    protected $ipcType = SWOOLE_IPC_NONE;

    /** @var int */
    protected $msgQueueKey = 0;

    /** @var array<int, array{callable, bool}> By worker: its function, and whether that runs in a coroutine. */
    protected $startFuncMap = [];

    public function __construct(int $ipcType = SWOOLE_IPC_NONE, int $msgQueueKey = 0)
    {
        $this->setIPCType($ipcType)->setMsgQueueKey($msgQueueKey);
    }

    public function add(callable $func, bool $enableCoroutine = false): self
    {
        return $this->addBatch(1, $func, $enableCoroutine);
    }

    public function addBatch(int $workerNum, callable $func, bool $enableCoroutine = false): self
    {
        for ($i = 0; $i < $workerNum; $i++) {
            $this->startFuncMap[] = [$func, $enableCoroutine];
        }
        return $this;
    }

    /** Returns when the pool has been stopped. */
    public function start(): void
    {
        $this->pool = new Pool(count($this->startFuncMap), $this->ipcType, $this->msgQueueKey, false);
        $functions = $this->startFuncMap;  // not $this: the pool would be in a cycle with it
        $this->pool->on('WorkerStart', static function (Pool $pool, int $workerId) use ($functions): void {
            [$func, $enableCoroutine] = $functions[$workerId];
            if ($enableCoroutine) {
                \Swoole\Coroutine\run($func, $pool, $workerId);
            } else {
                $func($pool, $workerId);
            }
        });
        $this->pool->start();
    }

    public function setIPCType(int $ipcType): self
    {
        $this->ipcType = $ipcType;
        return $this;
    }

    public function getIPCType(): int
    {
        return $this->ipcType;
    }

    public function setMsgQueueKey(int $msgQueueKey): self
    {
        $this->msgQueueKey = $msgQueueKey;
        return $this;
    }

    public function getMsgQueueKey(): int
    {
        return $this->msgQueueKey;
    }
}
