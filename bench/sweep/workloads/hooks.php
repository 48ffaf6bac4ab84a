<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Coroutine;

$run = static fn (callable $work): callable => static fn () => Coroutine\run($work);
$with = static fn (string $extension, callable $work): callable => static fn () => extension_loaded($extension) ? Coroutine\run($work) : throw new \DomainException("$extension is not there");

return [
    'file_small' => $run(static function (): void {
        $file = scratch();
        for ($i = times(10000); $i > 0; $i--) {
            file_put_contents($file, 'some content');
            file_get_contents($file);
        }
    }),
    'file_lines' => $run(static function (): void {
        $file = scratch(str_repeat("a line of the file\n", 20000));
        for ($i = times(200); $i > 0; $i--) {
            $stream = fopen($file, 'r');
            while (fgets($stream) !== false);
            fclose($stream);
        }
    }),
    'file_pieces' => $run(static function (): void {
        $stream = fopen(scratch(), 'r+');
        for ($i = times(100000); $i > 0; $i--) {
            fwrite($stream, "a line of a log, $i\n");
        }
    }),
    'file_10m' => $run(static function (): void {
        $file = scratch(str_repeat('x', 10 << 20));
        for ($i = times(40); $i > 0; $i--) {
            file_get_contents($file);
        }
    }),
    'stat' => $run(static function (): void {
        for ($i = times(200000); $i > 0; $i--) {
            clearstatcache();
            is_file(__FILE__);
        }
    }),
    'folders' => $run(static function (): void {
        for ($i = times(3000); $i > 0; $i--) {
            scandir(__DIR__);
        }
    }),
    'sleep' => $run(static function (): void {
        for ($i = times(5000); $i > 0; $i--) {
            Coroutine::create(static function (): void {
                for ($k = 0; $k < 10; $k++) {
                    usleep(1000);
                }
            });
        }
    }),
    'exec' => $run(static function (): void {
        for ($i = times(100); $i > 0; $i--) {
            exec('true');
        }
    }),
    'proc_open' => $run(static function (): void {
        for ($i = times(100); $i > 0; $i--) {
            $process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
            fwrite($pipes[0], 'text');
            fclose($pipes[0]);
            stream_get_contents($pipes[1]);
            fclose($pipes[1]);
            proc_close($process);
        }
    }),
    'names' => $run(static function (): void {
        for ($i = times(20000); $i > 0; $i--) {
            gethostbyname('127.0.0.1');
        }
    }),
    'stream_pair' => $run(static function (): void {
        [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $count = times(30000);
        Coroutine::create(static function () use ($other, $count): void {
            for ($i = 0; $i < $count; $i++) {
                fwrite($other, fread($other, 100));
            }
        });
        for ($i = 0; $i < $count; $i++) {
            fwrite($one, 'a message');
            fread($one, 100);
        }
    }),
    'stream_select' => $run(static function (): void {
        $pairs = array_map(static fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), range(1, 20));
        for ($i = times(10000); $i > 0; $i--) {
            fwrite($pairs[$i % 20][0], 'x');
            $read = array_column($pairs, 1);
            $write = $except = null;
            stream_select($read, $write, $except, 5);
            fread(reset($read), 10);
        }
    }),
    'file_get_contents_http' => $run(static function (): void {
        $server = new Coroutine\Http\Server('127.0.0.1', 0);
        $server->handle('/', static fn ($request, $response) => $response->end('hello'));
        Coroutine::create($server->start(...));
        for ($i = times(3000); $i > 0; $i--) {
            file_get_contents("http://127.0.0.1:{$server->port}/");
        }
        $server->shutdown();
    }),
    'curl' => $with('curl', static function (): void {
        $server = new Coroutine\Http\Server('127.0.0.1', 0);
        $server->handle('/', static fn ($request, $response) => $response->end('hello'));
        Coroutine::create($server->start(...));
        $curl = curl_init("http://127.0.0.1:{$server->port}/");
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
        for ($i = times(4000); $i > 0; $i--) {
            curl_exec($curl);
        }
        $server->shutdown();
    }),
    'pdo_sqlite' => $with('pdo_sqlite', static function (): void {
        $database = new \PDO('sqlite:' . scratch());
        $database->exec('create table t (a integer, b text)');
        $insert = $database->prepare('insert into t values (?, ?)');
        $database->beginTransaction();
        for ($i = times(40000); $i > 0; $i--) {
            $insert->execute([$i, "text $i"]);
        }
        $database->commit();
        $database->query('select * from t')->fetchAll();
    }),
];
