<?php

declare(strict_types=1);

/* The profiles with a database for FPM, with persistent connections. */

require __DIR__ . '/../Data.php';

$connect = static fn (): PDO => new PDO('pgsql:host=127.0.0.1;port=' . getenv('BENCH_DATABASE') . ';dbname=postgres;user=postgres', null, null, [PDO::ATTR_PERSISTENT => true, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$cached = static function () use ($connect): string {
    $redis = new Redis();
    $redis->pconnect('127.0.0.1', (int) getenv('BENCH_REDIS'));
    return Data::cached($redis, static fn (int $id): array => Data::numbered($connect(), $id));
};
header('Content-Type: application/json');
echo match (strtok($_SERVER['REQUEST_URI'], '?')) {
    '/large' => Data::large(),
    '/db' => Data::one($connect()),
    '/queries' => Data::many($connect(), 20),
    '/updates' => Data::update($connect(), 20),
    '/crud' => $cached(),
    default => 'nothing here',
};
