<?php

declare(strict_types=1);

/*
 * Stream servers. "_kind": length (echoes packets with its pid in front), mqtt (a small broker whose subscribers may be connected to
 * other workers) or redis.
 */

use Swoole\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$kind = $settings['_kind'] ?? 'length';
unset($settings['_kind']);
$class = $kind === 'redis' ? Swoole\Redis\Server::class : Server::class;
$server = new $class('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$framing = [
    'length' => ['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4, 'package_max_length' => 1 << 20],
    'mqtt' => ['open_mqtt_protocol' => true],
    'redis' => [],
];
$server->set($settings + $framing[$kind] + ['worker_num' => 2, 'max_connection' => 10000]);
if ($kind === 'length') {
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $packet): void {
        $body = substr($packet, 4);
        if ($body === 'stats') {
            $body = json_encode($server->stats());
        }
        $server->send($fd, pack('NN', strlen($body) + 4, getmypid()) . $body);
    });
} elseif ($kind === 'mqtt') {
    $topics = new Swoole\Table(1024);
    $topics->column('topic', Swoole\Table::TYPE_STRING, 100);
    $topics->create();
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $packet) use ($topics): void {
        $start = 1;
        while (ord($packet[$start++]) & 0x80);
        switch (ord($packet[0]) >> 4) {
            case 1:  // CONNECT
                $server->send($fd, "\x20\x02\x00\x00");
                break;
            case 3:  // PUBLISH, at most once
                $length = unpack('n', $packet, $start)[1];
                $topic = substr($packet, $start + 2, $length);
                foreach ($topics as $number => $row) {
                    if ($row['topic'] === $topic) {
                        $server->send((int) $number, $packet);
                    }
                }
                break;
            case 8:  // SUBSCRIBE
                $length = unpack('n', $packet, $start + 2)[1];
                $topics->set((string) $fd, ['topic' => substr($packet, $start + 4, $length)]);
                $server->send($fd, "\x90\x03" . substr($packet, $start, 2) . "\x00");
                break;
            case 12:  // PINGREQ
                $server->send($fd, "\xd0\x00");
                break;
            case 14:  // DISCONNECT
                $server->close($fd);
                break;
        }
    });
    $server->on('close', static fn (Server $server, int $fd) => $topics->del((string) $fd));
} elseif ($server instanceof Swoole\Redis\Server) {
    $data = new Swoole\Table(1024);
    $data->column('value', Swoole\Table::TYPE_STRING, 1000);
    $data->create();
    $server->setHandler('SET', static function (int $fd, array $words) use ($data): string {
        $data->set($words[0], ['value' => $words[1]]);
        return Swoole\Redis\Server::format(Swoole\Redis\Server::STATUS);
    });
    $server->setHandler('GET', static function (int $fd, array $words) use ($data): string {
        $value = $data->get($words[0], 'value');
        return $value === false ? Swoole\Redis\Server::format(Swoole\Redis\Server::NIL) : Swoole\Redis\Server::format(Swoole\Redis\Server::STRING, $value);
    });
    $server->setHandler('KEYS', static fn (int $fd, array $words): string => Swoole\Redis\Server::format(Swoole\Redis\Server::SET, array_keys(iterator_to_array($data))));
    $server->setHandler('DBSIZE', static fn (int $fd, array $words): string => Swoole\Redis\Server::format(Swoole\Redis\Server::INT, count($data)));
}
$server->start();
