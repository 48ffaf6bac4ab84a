--TEST--
start comes before managerStart, in one process; workers start beside them, wait for neither and are not waited for; at the end workerStop, managerStop, shutdown
--FILE--
<?php
$until = static function (callable $condition): string {
    for ($i = 0; $i < 4000 && !$condition(); $i++) {
        usleep(5000);
    }
    return $condition() ? 'yes' : 'no';
};
foreach ([SWOOLE_PROCESS, SWOOLE_BASE] as $mode) {
    $said = tempnam(sys_get_temp_dir(), 'said');
    $note = static fn (string $line) => file_put_contents($said, "$line\n", FILE_APPEND);
    $workers = new Swoole\Atomic(0);
    $supervisor = new Swoole\Atomic(0);
    $server = new Swoole\Http\Server('127.0.0.1', 0, $mode);
    $server->set(['worker_num' => 2, 'log_file' => '/dev/null']);
    $server->on('request', static fn () => 0);
    // A worker's start waits for the supervisor's events, and the last of these for the first worker: each would stop for ever if it were waited for.
    $server->on('workerStart', static function ($server, int $id) use ($workers, $supervisor, $until, $note): void {
        $workers->add(1);
        if ($id === 1) {
            $note('worker 1 saw managerStart: ' . $until(static fn (): bool => $supervisor->get() === 2));
            $server->shutdown();
        }
    });
    $server->on('start', static function () use ($supervisor, $note): void {
        $note('start, after ' . $supervisor->add(1) . ' of the two');
    });
    $server->on('managerStart', static function () use ($workers, $supervisor, $until, $note): void {
        $note('managerStart saw the workers: ' . $until(static fn (): bool => $workers->get() === 2));
        $note('managerStart, after ' . $supervisor->get() . ' of the two');
        $supervisor->add(1);
    });
    $server->on('workerStop', static function () use ($workers): void {
        $workers->sub(1);
    });
    foreach (['managerStop', 'shutdown'] as $event) {
        $server->on($event, static fn () => $note("$event, workers left: " . $workers->get()));
    }
    $server->start();
    echo file_get_contents($said), "\n";
    unlink($said);
}
?>
--EXPECT--
start, after 1 of the two
managerStart saw the workers: yes
managerStart, after 1 of the two
worker 1 saw managerStart: yes
managerStop, workers left: 0
shutdown, workers left: 0

start, after 1 of the two
managerStart saw the workers: yes
managerStart, after 1 of the two
worker 1 saw managerStart: yes
managerStop, workers left: 0
shutdown, workers left: 0
