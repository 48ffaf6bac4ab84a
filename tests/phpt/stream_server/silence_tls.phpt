--TEST--
Silence after a handshake or a PROXY header is limited by heartbeat_idle_time; getClientInfo() shows the client's certificate
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
$server->set(['worker_num' => 1, 'ssl_cert_file' => $files[0], 'ssl_key_file' => $files[1], 'ssl_verify_peer' => true, 'ssl_client_cert_file' => $files[0], 'ssl_allow_self_signed' => true, 'heartbeat_idle_time' => 1, 'heartbeat_check_interval' => 1]);
$proxied = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
$proxied->set(['proxy_protocol' => true]);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, json_encode($server->getClientInfo($fd)['ssl_client_cert'] ?? null));
});
$ports = [$server->port, $proxied->port];
serve_peers($server, static function () use ($ports, $files): void {
    $context = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'local_cert' => $files[0], 'local_pk' => $files[1]]]);
    $begin = microtime(true);
    $silent = [stream_socket_client("tls://127.0.0.1:$ports[0]", $number, $message, 10, STREAM_CLIENT_CONNECT, $context), connect_to("tcp://127.0.0.1:$ports[1]")];
    fwrite($silent[1], "PROXY TCP4 198.51.100.7 127.0.0.1 1234 80\r\n");
    foreach ($silent as $one) {
        var_dump((string) @fread($one, 1), microtime(true) - $begin < 6);
    }
    $peer = stream_socket_client("tls://127.0.0.1:$ports[0]", $number, $message, 10, STREAM_CLIENT_CONNECT, $context);
    fwrite($peer, 'who');
    var_dump(json_decode(fread($peer, 65536)) === file_get_contents($files[0]));
    $peer = connect_to("tcp://127.0.0.1:$ports[1]");
    fwrite($peer, "PROXY TCP4 198.51.100.7 127.0.0.1 1234 80\r\nwho");
    var_dump(fread($peer, 65536));
});
array_map(unlink(...), $files);
?>
--EXPECT--
string(0) ""
bool(true)
string(0) ""
bool(true)
bool(true)
string(4) "null"
