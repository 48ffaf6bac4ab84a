--TEST--
Tasks: one that is over task_timeout costs its task worker, however it waits, and the next one is run
--EXTENSIONS--
pcntl
posix
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
require __DIR__ . '/once.inc';

$run = static function (string $how): string {
    ini_set('display_errors', '0');
    switch ($how) {
        case 'waits again':
            while (true) {
                try {
                    sleep(1000);
                } catch (Throwable) {
                }
            }
        case 'waits in its shutdown function':
            register_shutdown_function(static fn () => sleep(1000));
            sleep(1000);
        case 'waits for a program':
            exec('exec sleep 1000');
    }
    return $how;
};
foreach ([false, true] as $coroutine) {
    $ways = $coroutine ? ['waits again'] : ['waits again', 'waits in its shutdown function', 'waits for a program'];
    serve_tasks(['task_worker_num' => 1, 'task_timeout' => 0.3, 'task_enable_coroutine' => $coroutine, 'log_file' => '/dev/null'], [
        'task' => $coroutine ? static fn ($server, $task) => $task->finish($run($task->data)) : static fn ($server, int $id, int $source, string $data): string => $run($data),
        'request' => static function ($request, $response) use ($ways): void {
            $server = $GLOBALS['server'];
            foreach ($ways as $how) {
                $shown[] = [$how, $server->taskwait($how, 20), $server->taskwait('the next one', 20)];
            }
            $response->end(json_encode($shown));
        },
    ], static function (callable $ask): void {
        foreach (json_decode($ask('/')) as $line) {
            echo json_encode($line), "\n";
        }
    }, static function ($server): void {
        $GLOBALS['server'] = $server;
    });
}
?>
--EXPECT--
["waits again",false,"the next one"]
["waits in its shutdown function",false,"the next one"]
["waits for a program",false,"the next one"]
["waits again",false,"the next one"]
