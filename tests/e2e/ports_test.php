<?php

declare(strict_types=1);

/* One server with ports that speak different protocols: each speaks its own and no other's. */

namespace Stampede\Tests\E2e;

final class ports_test extends EndToEndTest
{
    private static array $plain;
    private static mixed $six;
    private static mixed $first;
    private static mixed $two;
    private static mixed $quiet;
    private static string $socket;
    private static mixed $tls;
    private static mixed $tlsTwo;
    private static Server $server;
    private static Certificates $certificates;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = $certificates = new Certificates();
        $certificates->sign('other', 'DNS:other.example');
        self::$socket = $socket = sys_get_temp_dir() . '/stampede-ports-' . getmypid() . '.sock';
        [$two, $tls, $tlsTwo, $quiet, $six] = array_map(static fn (): int => Server::freePort(), range(1, 5));
        self::$server = $server = new Server('ports', ['_websocket' => true, 'worker_num' => 2, 'http_header_timeout' => 2, '_ports' => [
            ['127.0.0.1', $two, 1, ['open_http2_protocol' => true]],
            ['127.0.0.1', $tls, 1 | 512, self::of('server')],
            ['127.0.0.1', $tlsTwo, 1 | 512, self::of('other') + ['open_http2_protocol' => true]],
            ['127.0.0.1', $quiet, 1, ['open_websocket_protocol' => false]],
            ['::1', $six, 3, []],
            [$socket, 0, 5, ['open_http2_protocol' => true]],
        ]]);
        self::$first = $first = $server->port;
        self::$plain = ["tcp://127.0.0.1:$first" => $first, "tcp://127.0.0.1:$two" => $two, "tcp://127.0.0.1:$quiet" => $quiet, "tcp://[::1]:$six" => $six, "unix://$socket" => 0];
        self::$six = $six;
        self::$two = $two;
        self::$quiet = $quiet;
        self::$tls = $tls;
        self::$tlsTwo = $tlsTwo;
    }

    public function testProtocolsOfPorts(): void
    {
        [$plain, $six, $first, $two, $quiet, $socket, $tls, $tlsTwo] = [self::$plain, self::$six, self::$first, self::$two, self::$quiet, self::$socket, self::$tls, self::$tlsTwo];
        foreach ($plain as $address => $port) {
            $this->same("HTTP/1 on $address", ['HTTP/1.1', $port, $port], self::protocol(self::ask($address)));
        }
        $this->same('who asks by IPv6', '::1', self::ask("tcp://[::1]:$six")['server']['remote_addr'] ?? null);
        foreach ([$first => false, $two => true, $quiet => false] as $port => $speaks) {
            $seen = self::curl("--http2-prior-knowledge http://127.0.0.1:$port/");
            $this->same("HTTP/2 by prior knowledge on port $port", $speaks ? ['HTTP/2', $port, $port] : [null, null, null], self::protocol($seen));
            $seen = self::curl("--http2 http://127.0.0.1:$port/");
            $this->same("by upgrade on port $port", [$speaks ? 'HTTP/2' : 'HTTP/1.1', $port, $port], self::protocol($seen));
        }
        $this->same('HTTP/2 on the unix socket', 'HTTP/2', self::curl('--http2-prior-knowledge --unix-socket ' . escapeshellarg($socket) . ' http://a/')['server']['server_protocol'] ?? null);
        $this->same('TLS with HTTP/1 only', ['HTTP/1.1', $tls, $tls], self::protocol(self::curl("--http2 https://127.0.0.1:$tls/")));
        $this->same('TLS with HTTP/2', ['HTTP/2', $tlsTwo, $tlsTwo], self::protocol(self::curl("--http2 https://127.0.0.1:$tlsTwo/")));
        $this->same('and HTTP/1 for who wants that', ['HTTP/1.1', $tlsTwo, $tlsTwo], self::protocol(self::curl("--http1.1 https://127.0.0.1:$tlsTwo/")));
        foreach ([$tls => 'server', $tlsTwo => 'other'] as $port => $name) {
            $subject = (string) shell_exec("timeout 10 openssl s_client -connect 127.0.0.1:$port < /dev/null 2>/dev/null | openssl x509 -noout -subject");
            $this->check("the certificate of port $port is its own", str_contains($subject, "CN = $name"), $subject);
            $peer = new Peer("tcp://127.0.0.1:$port");
            $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $this->check("no plain HTTP on port $port", !str_contains($peer->readToEnd(5.0), 'HTTP/1.1 200') && $peer->ended());
        }
        foreach ([$first, $two] as $port) {
            $peer = new Peer("tcp://127.0.0.1:$port");
            $peer->send(["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"]);
            $this->check("no TLS on port $port", !str_contains($peer->readToEnd(5.0), "\x16\x03") && $peer->ended());
        }
    }

    public function testWebSockets(): void
    {
        [$plain, $quiet, $tls] = [self::$plain, self::$quiet, self::$tls];
        /** The answer's status and the frame that comes back. @return array{int, mixed} */
        $shake = static function (string $address): array {
            $peer = new Peer($address);
            $peer->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " . WebSocketPeer::KEY . "\r\n\r\n"]);
            $bytes = $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\r\n\r\n"));
            $status = (int) substr($bytes, 9, 3);
            if ($status !== 101) {
                return [$status, null];
            }
            $at = strpos($bytes, "\r\n\r\n") + 4;
            $peer->send([WebSocketPeer::frame('ping')]);
            $bytes = $peer->readUntil(static fn (string $bytes): bool => strlen($bytes) > $at + 2 && strlen($bytes) >= $at + 2 + ord($bytes[$at + 1]));
            return [$status, json_decode(substr($bytes, $at + 2), true)];
        };
        foreach ($plain as $address => $port) {
            $this->same("WebSocket on $address", $port === $quiet ? [200, null] : [101, ['ping', $port]], $shake($address));
        }
        $stream = stream_socket_client("ssl://127.0.0.1:$tls", $code, $message, 5.0, STREAM_CLIENT_CONNECT, stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
        stream_set_timeout($stream, 10);
        fwrite($stream, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " . WebSocketPeer::KEY . "\r\n\r\n");
        $line = (string) fgets($stream);
        while (trim((string) fgets($stream)) !== '') {
        }
        fwrite($stream, WebSocketPeer::frame('over tls'));
        $length = ord(((string) fread($stream, 2))[1] ?? "\0");
        $this->same('WebSocket over TLS', ['HTTP/1.1 101 Switching Protocols', ['over tls', $tls]], [trim($line), json_decode((string) stream_get_contents($stream, $length), true)]);
        fclose($stream);
    }

    public function testAReloadAndTheEnd(): void
    {
        [$server, $plain, $tlsTwo, $socket, $two] = [self::$server, self::$plain, self::$tlsTwo, self::$socket, self::$two];
        // All of that over a reload.
        $before = workers($server, 2);
        posix_kill($server->pid(), SIGUSR1);
        $this->check('a reload', Server::until(8, static fn (): bool => array_intersect($before, children($server->pid())) === [] && count(children($server->pid())) === 2));
        foreach ($plain as $address => $port) {
            $this->same("after it: $address", ['HTTP/1.1', $port, $port], self::protocol(self::ask($address)));
        }
        $this->same('after it: TLS', ['HTTP/2', $tlsTwo, $tlsTwo], self::protocol(self::curl("--http2 https://127.0.0.1:$tlsTwo/")));
        $server->stop();
        $this->check('all ports are closed', !file_exists($socket) && @stream_socket_client("tcp://127.0.0.1:$two") === false);
        unset($server);
    }

    public function testPortsThatAreRefused(): void
    {
        foreach ([[['127.0.0.1', Server::freePort(), 1 | 512, []]], [['not an address', 1, 1, []]], [['127.0.0.1', 70000, 1, []]], [['127.0.0.1', 0, 99, []]]] as $ports) {
            $why = whyNot('ports', ['_ports' => $ports]);
            $this->check('refused: ' . json_encode($ports[0]), preg_match('~TLS needs a certificate|the address is not valid|must be a number from 0 to 65535|is not supported by this server~', $why) === 1, $why);
        }
    }

    private static function of(string $name): array
    {
        $certificates = self::$certificates;
        return ['ssl_cert_file' => $certificates->path("$name.pem"), 'ssl_key_file' => $certificates->path("$name.key")];
    }

    /** @return array<string, mixed> */
    private static function ask(string $address): array
    {
        $peer = new Peer($address);
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $received = $peer->readToEnd(10.0);
        return str_starts_with($received, 'HTTP/1.1 200') ? json_decode(Answer::all($received)[0]->body, true) : [];
    }

    /** @return array<string, mixed> */
    private static function curl(string $arguments): array
    {
        exec("curl -sk --max-time 10 $arguments", $output);
        return json_decode(implode('', $output), true) ?? [];
    }

    private static function protocol(array $seen): array
    {
        return [$seen['server']['server_protocol'] ?? null, $seen['server']['server_port'] ?? null, $seen['info']['server_port'] ?? null];
    }
}
