<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Server;

$server = static function (int $type = SWOOLE_SOCK_TCP, string $address = '127.0.0.1'): Server {
    $server = new Server($address, 0, SWOOLE_PROCESS, $type);
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
        $server->send($fd, $data);
    });
    $server->on('packet', static function (Server $server, string $data, array $client): void {
        $server->sendto($client['address'], $client['port'], $data, $client['server_socket']);
    });
    return $server;
};
$lengths = ['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4];

return [
    'echo' => static fn () => serve($server(), echoes('a message', 9, times(25000))),
    'eof_split' => static fn () => serve($server(), echoes(str_repeat("a line\r\n", 20), 160, times(4000)), ['open_eof_split' => true, 'package_eof' => "\r\n"]),
    'length' => static fn () => serve($server(), echoes(str_repeat(pack('N', 100) . str_repeat('x', 100), 10), 1040, times(5000)), $lengths),
    'length_1m' => static function () use ($lengths): void {
        $server = new Server('127.0.0.1', 0);
        $server->on('receive', static fn (Server $server, int $fd, int $reactor, string $data) => $server->send($fd, pack('N', strlen($data))));
        serve($server, echoes(pack('N', 1 << 20) . str_repeat('x', 1 << 20), 4, times(700), 1), $lengths);
    },
    'send_1m' => static function (): void {
        $server = new Server('127.0.0.1', 0);
        $server->on('receive', static fn (Server $server, int $fd, int $reactor, string $data) => $server->send($fd, str_repeat('x', 1 << 20)));
        serve($server, echoes('more', 1 << 20, times(700), 1));
    },
    'connections' => static function (): void {
        $server = new Server('127.0.0.1', 0);
        $server->on('connect', static fn (Server $server, int $fd) => $server->send($fd, 'hi'));
        $server->on('receive', static fn () => null);
        $server->on('close', static fn () => null);
        serve($server, static function (int $port): void {
            for ($i = times(4000); $i > 0; $i--) {
                read(connect($port), 2);
            }
        });
    },
    'unix' => static function () use ($server): void {
        $path = sys_get_temp_dir() . '/sweep-' . getmypid() . '.sock';
        serve($server(SWOOLE_SOCK_UNIX_STREAM, $path), echoes('a message', 9, times(25000), 8, "unix://$path"));
    },
    'udp' => static fn () => serve($server(SWOOLE_SOCK_UDP), static function (int $port): void {
        $socket = connect("udp://127.0.0.1:$port");
        for ($i = times(15000); $i > 0; $i--) {
            fwrite($socket, 'a datagram');
            if (fread($socket, 100) !== 'a datagram') {
                throw new \RuntimeException('A datagram was lost.');
            }
        }
    }),
    'tls' => static function () use ($server): void {
        $key = openssl_pkey_new(['private_key_bits' => 2048]);
        openssl_x509_export(openssl_csr_sign(openssl_csr_new(['commonName' => 'localhost'], $key), null, $key, 30), $certificate);
        openssl_pkey_export($key, $text);
        serve($server(SWOOLE_SOCK_TCP | SWOOLE_SSL), static function (int $port): void {
            $socket = connect("ssl://127.0.0.1:$port", ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
            for ($i = times(10000); $i > 0; $i--) {
                write($socket, 'a message');
                read($socket, 9);
            }
        }, ['ssl_cert_file' => scratch($certificate), 'ssl_key_file' => scratch($text)]);
    },
];
