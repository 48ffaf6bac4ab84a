--TEST--
Stampede\Checkpoint: a process that has gone back calls libraries as it did before, whatever its imports led to meanwhile
--EXTENSIONS--
pcntl
pdo
pdo_sqlite
--SKIPIF--
<?php
if (Stampede\Checkpoint::obstacle() !== null) die('skip ' . Stampede\Checkpoint::obstacle());
?>
--FILE--
<?php
use Stampede\Checkpoint;
use Swoole\Process;

const SIZE = 16;

function count_in_sqlite(): string
{
    $db = new PDO('sqlite::memory:');
    $db->exec('create table t (a)');
    $insert = $db->prepare('insert into t values (?)');
    $insert->execute(['x']);
    return $db->query('select count(*) from t')->fetchColumn() . ' row';
}

function handle(string $what): string
{
    $done = $what;
    switch ($what) {
        case 'coroutine':
            Co\run(fn () => usleep(100));
            break;
        case 'processes':  // the second one leads the imports of this process to the hooks
            foreach ([1, 2] as $i) {
                (new Process(fn () => null))->start();
                Process::wait();
            }
            break;
        case 'sqlite':
            $done = count_in_sqlite();
            break;
        case 'both':
            Co\run(function () use (&$done) { $done = count_in_sqlite(); });
    }
    return $done;
}

function run(string ...$requests): void
{
    $path = sys_get_temp_dir() . '/stampede_kept_' . getmypid() . '.sock';
    $listener = stream_socket_server("unix://$path");
    $child = pcntl_fork();
    if ($child === 0) {
        fclose($listener);
        Checkpoint::connect($path);
        Checkpoint::begin();
    }
    $connection = stream_socket_accept($listener, 20);
    stream_set_timeout($connection, 20);
    foreach ($requests as $request) {
        fwrite($connection, str_pad($request, SIZE));
        echo trim((string) stream_get_contents($connection, SIZE)), "\n";
    }
    fclose($connection);
    pcntl_waitpid($child, $status);
    echo pcntl_wifsignaled($status) ? 'signal ' . pcntl_wtermsig($status) : 'code ' . pcntl_wexitstatus($status), "\n";
    unlink($path);
}

if (Checkpoint::keep()) {
    $what = Checkpoint::receive(SIZE);
    if ($what === null) {
        exit(0);
    }
    Checkpoint::send(str_pad(handle(trim($what)), SIZE));
    Checkpoint::send(str_pad(Checkpoint::goBack(), SIZE));
    exit(2);  // after SQLite on a thread, which cannot be put back
}
run('coroutine', 'sqlite', 'coroutine', 'both');
run('processes', 'sqlite', 'coroutine', 'processes', 'sqlite', 'both');
?>
--EXPECT--
coroutine
1 row
coroutine
1 row
code 2
processes
1 row
coroutine
processes
1 row
1 row
code 2
