<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Table;

$table = static function (int $rows): Table {
    $table = new Table($rows);
    $table->column('number', Table::TYPE_INT);
    $table->column('text', Table::TYPE_STRING, 64);
    $table->create();
    return $table;
};
$filled = static function (int $count) use ($table): Table {
    $all = $table(65536);
    for ($i = 0; $i < $count; $i++) {
        $all->set("key$i", ['number' => $i, 'text' => "text $i"]);
    }
    return $all;
};

return [
    'table_set' => static function () use ($filled): void {
        for ($i = times(8); $i > 0; $i--) {
            $filled(50000);
        }
    },
    'table_get' => static function () use ($filled): void {
        $table = $filled(1000);
        for ($i = times(600000); $i > 0; $i--) {
            $table->get('key' . $i % 1000);
        }
    },
    'table_incr' => static function () use ($filled): void {
        $table = $filled(1000);
        for ($i = times(800000); $i > 0; $i--) {
            $table->incr('key7', 'number');
        }
    },
    'table_iterate' => static function () use ($filled): void {
        $table = $filled(20000);
        for ($i = times(20); $i > 0; $i--) {
            foreach ($table as $key => $row);
        }
    },
    'table_sparse' => static function () use ($table): void {
        for ($i = times(200); $i > 0; $i--) {
            $all = $table(1 << 18);
            $all->set('one', ['number' => 1]);
            foreach ($all as $key => $row);
        }
    },
    'atomic' => static function (): void {
        $atomic = new \Swoole\Atomic(0);
        for ($i = times(5000000); $i > 0; $i--) {
            $atomic->add(1);
        }
    },
    'lock' => static function (): void {
        $lock = new \Swoole\Lock(SWOOLE_MUTEX);
        for ($i = times(1000000); $i > 0; $i--) {
            $lock->lock();
            $lock->unlock();
        }
    },
    'coroutine_lock' => static fn () => \Swoole\Coroutine\run(static function (): void {
        $lock = new \Swoole\Coroutine\Lock();
        for ($i = times(1000000); $i > 0; $i--) {
            $lock->lock();
            $lock->unlock();
        }
    }),
    'atomic_wait' => static function (): void {
        $there = new \Swoole\Atomic(0);
        $back = new \Swoole\Atomic(0);
        $count = times(8000);
        $process = new \Swoole\Process(static function () use ($there, $back, $count): void {
            for ($i = 0; $i < $count; $i++) {
                $there->wait(10);
                $back->wakeup();
            }
        });
        $process->start();
        for ($i = 0; $i < $count; $i++) {
            $there->wakeup();
            $back->wait(10);
        }
        \Swoole\Process::wait();
    },
];
