--TEST--
TLS on stream ports: echo, what is sent at connect, and a client that never shakes hands; PROXY headers
--EXTENSIONS--
pcntl
posix
openssl
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$files = [tempnam(sys_get_temp_dir(), 'cert'), tempnam(sys_get_temp_dir(), 'key'), tempnam(sys_get_temp_dir(), 'conf')];
file_put_contents($files[2], "[req]\ndistinguished_name = name\n[name]\n"); // a machine may have none
$options = ['config' => $files[2], 'digest_alg' => 'sha256', 'private_key_bits' => 2048];
$key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1'] + $options);
$certificate = openssl_csr_sign(openssl_csr_new(['commonName' => 'localhost'], $key, $options), null, $key, 1, $options);
openssl_x509_export_to_file($certificate, $files[0]);
openssl_pkey_export_to_file($key, $files[1], null, $options);
$server = new Server('127.0.0.1', 0, SWOOLE_BASE, SWOOLE_SOCK_TCP | SWOOLE_SSL);
$server->set(['worker_num' => 1, 'ssl_cert_file' => $files[0], 'ssl_key_file' => $files[1], 'http_header_timeout' => 0.5]);
$proxied = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$proxied->set(['proxy_protocol' => true, 'open_eof_split' => true, 'package_eof' => "\n"]);
$greeting = str_repeat('greeting', 5000);
$server->ports[0]->on('connect', static fn (Server $server, int $fd) => $server->send($fd, $greeting));
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, str_starts_with($data, 'who') ? $server->getClientInfo($fd)['remote_ip'] . "\n" : $data);
});
$ports = [$server->port, $proxied->port];
$file = $files[0];
serve_peers($server, static function () use ($ports, $greeting, $file): void {
    $context = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
    $peer = stream_socket_client("tls://127.0.0.1:$ports[0]", $number, $message, 10, STREAM_CLIENT_CONNECT, $context);
    var_dump(read_all($peer, strlen($greeting)) === $greeting);
    $large = str_repeat('0123456789', 200000);
    fwrite($peer, $large);
    var_dump(read_all($peer, strlen($large)) === $large);
    $silent = [connect_to("tcp://127.0.0.1:$ports[0]"), connect_to("tcp://127.0.0.1:$ports[1]")];
    fwrite($silent[1], 'PROXY TCP4 ');
    foreach ($silent as $one) {
        var_dump((string) @fread($one, 1), feof($one));
    }
    $peer = connect_to("tcp://127.0.0.1:$ports[1]");
    fwrite($peer, "PROXY TCP4 198.51.100.7 127.0.0.1 1234 80\r\nwho\nnext\n");
    echo fgets($peer), fgets($peer);
    $peer = connect_to("tcp://127.0.0.1:$ports[1]");
    fwrite($peer, "no header\n");
    var_dump((string) @fgets($peer));
});
array_map(unlink(...), $files);
?>
--EXPECT--
bool(true)
bool(true)
string(0) ""
bool(true)
string(0) ""
bool(true)
198.51.100.7
next
string(0) ""
