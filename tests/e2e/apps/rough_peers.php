<?php

declare(strict_types=1);

/*
 * Servers that a client has to bear, and two proxies, in one loop of plain PHP. Prints their ports as JSON, by name:
 *   echo      sends back what comes
 *   silent    takes the connection and nothing more
 *   full      takes no connection, and its backlog is full
 *   garbage   says nonsense at once
 *   half      answers with the first half of a packet (a length of four bytes in front) and ends
 *   endless   sends without end
 *   socks, locked_socks, http_proxy, locked_http_proxy   proxies; the locked ones want user and secret
 */

namespace Stampede\Tests\E2e\Peers;

const MUTED_SECONDS = 0.15;
const PROXIES = ['socks', 'locked_socks', 'http_proxy', 'locked_http_proxy'];
const ROLES = ['echo', 'silent', 'garbage', 'half', 'endless', ...PROXIES];

final class Connection
{
    public string $received = '';
    public string $outgoing = '';
    public bool $ending = false;
    public int $step = 0;
    public ?Connection $other = null;
    public float $muted_until = 0.0;

    /** @param resource $stream */
    public function __construct(public readonly mixed $stream, public readonly string $role)
    {
        stream_set_blocking($stream, false);
    }

    /** A silent one leaves what comes lying for a while, so that buffers fill; then it looks whether the end has come. */
    public function isMuted(): bool
    {
        return $this->muted_until > microtime(true);
    }
}

final class Loop
{
    /** @var array<int, Connection> */
    private array $connections = [];

    /** @param array<string, resource> $listeners */
    public function __construct(private readonly array $listeners)
    {
    }

    public function turn(): void
    {
        $read = array_values($this->listeners);
        $write = [];
        $pause = 60;
        foreach ($this->connections as $connection) {
            if ($connection->isMuted()) {
                $pause = 0;
            } else {
                $read[] = $connection->stream;
            }
            if ($connection->outgoing !== '' || $connection->role === 'endless') {
                $write[] = $connection->stream;
            }
        }
        $except = null;
        if (@stream_select($read, $write, $except, $pause, $pause > 0 ? 0 : 50_000) === false) {
            return;
        }
        foreach ($read as $stream) {
            $role = array_search($stream, $this->listeners, true);
            $role === false ? $this->readFrom($this->connections[(int) $stream] ?? null) : $this->accept($stream, $role);
        }
        foreach ($write as $stream) {
            $this->writeTo($this->connections[(int) $stream] ?? null);
        }
    }

    /** @param resource $listener */
    private function accept(mixed $listener, string $role): void
    {
        $stream = @stream_socket_accept($listener, 0);
        if ($stream !== false) {
            $connection = $this->add($stream, $role);
            $connection->outgoing = $role === 'garbage' ? str_repeat("\xff", 100) : '';
        }
    }

    /** @param resource $stream */
    private function add(mixed $stream, string $role): Connection
    {
        return $this->connections[(int) $stream] = new Connection($stream, $role);
    }

    private function drop(Connection $connection): void
    {
        unset($this->connections[(int) $connection->stream]);
        @fclose($connection->stream);
        if ($connection->other !== null) {
            $connection->other->other = null;
            $connection->other->ending = true;
            $this->writeTo($connection->other);
        }
    }

    private function readFrom(?Connection $connection): void
    {
        if ($connection === null) {
            return;
        }
        if ($connection->role === 'silent' && $connection->muted_until === 0.0 && stream_socket_recvfrom($connection->stream, 1, STREAM_PEEK) !== '') {
            $connection->muted_until = microtime(true) + MUTED_SECONDS;
            return;
        }
        $bytes = @fread($connection->stream, 65536);
        if ($bytes === false || $bytes === '') {
            if (feof($connection->stream)) {
                $this->drop($connection);
            }
            return;
        }
        match (true) {
            $connection->other !== null => $connection->other->outgoing .= $bytes,
            $connection->role === 'echo' => $connection->outgoing .= $bytes,
            $connection->role === 'half' => $this->answerHalf($connection),
            in_array($connection->role, PROXIES, true) => $this->negotiate($connection, $bytes),
            default => null,
        };
    }

    private function answerHalf(Connection $connection): void
    {
        $connection->outgoing = pack('N', 100) . str_repeat('x', 50);
        $connection->ending = true;
    }

    private function writeTo(?Connection $connection): void
    {
        if ($connection === null || !isset($this->connections[(int) $connection->stream])) {
            return;
        }
        if ($connection->role === 'endless') {
            $connection->outgoing = str_repeat('e', 65536);
        }
        $count = $connection->outgoing === '' ? 0 : @fwrite($connection->stream, $connection->outgoing);
        if ($count === false || ($count === 0 && $connection->outgoing !== '')) {
            $this->drop($connection);
            return;
        }
        $connection->outgoing = substr($connection->outgoing, $count);
        if ($connection->ending && $connection->outgoing === '') {
            $this->drop($connection);
        }
    }

    private function negotiate(Connection $connection, string $bytes): void
    {
        $connection->received .= $bytes;
        str_contains($connection->role, 'socks') ? $this->negotiateSocks($connection) : $this->negotiateHttp($connection);
    }

    private function negotiateSocks(Connection $connection): void
    {
        $locked = $connection->role === 'locked_socks';
        if ($connection->step === 0 && strlen($connection->received) >= 3) {
            $offers = substr($connection->received, 2, ord($connection->received[1]));
            $connection->received = substr($connection->received, 2 + strlen($offers));
            $method = $locked ? "\x02" : "\x00";
            $good = str_contains($offers, $method);
            $connection->outgoing .= "\x05" . ($good ? $method : "\xff");
            $connection->ending = !$good;
            $connection->step = $locked ? 1 : 2;
        }
        if ($connection->step === 1 && strlen($connection->received) >= 2 + 4 + 1 + 6) {
            $good = str_starts_with($connection->received, "\x01\x04user\x06secret");
            $connection->received = '';
            $connection->outgoing .= $good ? "\x01\x00" : "\x01\x01";
            $connection->ending = !$good;
            $connection->step = 2;
        }
        if ($connection->step === 2 && strlen($connection->received) >= 10) {
            $named = $connection->received[3] === "\x03";
            $host = $named ? substr($connection->received, 5, ord($connection->received[4])) : inet_ntop(substr($connection->received, 4, 4));
            $port = unpack('n', substr($connection->received, -2))[1] ?? 0;
            $reached = $this->connectThrough($connection, "$host:$port");
            $connection->outgoing .= "\x05" . ($reached ? "\x00" : "\x05") . "\x00\x01\x7f\x00\x00\x01\x00\x00";
            $connection->ending = !$reached;
        }
        $this->writeTo($connection);
    }

    private function negotiateHttp(Connection $connection): void
    {
        if (!str_contains($connection->received, "\r\n\r\n")) {
            return;
        }
        $allowed = $connection->role === 'http_proxy'
            || str_contains($connection->received, "\r\nProxy-Authorization: Basic " . base64_encode('user:secret') . "\r\n");
        $target = explode(' ', $connection->received)[1];
        $reached = $allowed && $this->connectThrough($connection, $target);
        $connection->outgoing .= match (true) {
            !$allowed => "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
            !$reached => "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
            default => "HTTP/1.1 200 Connection established\r\n\r\n",
        };
        $connection->ending = !$reached;
        $this->writeTo($connection);
    }

    private function connectThrough(Connection $connection, string $target): bool
    {
        $stream = @stream_socket_client("tcp://$target", $code, $message, 5.0);
        if ($stream === false) {
            return false;
        }
        $connection->other = $this->add($stream, 'target');
        $connection->other->other = $connection;
        return true;
    }
}

/** @return resource */
function listen(int $backlog = 1024): mixed
{
    $context = stream_context_create(['socket' => ['backlog' => $backlog]]);
    return stream_socket_server('tcp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context)
        ?: throw new \RuntimeException($message);
}

/** @param resource $listener */
function port_of(mixed $listener): int
{
    return (int) substr((string) strrchr((string) stream_socket_get_name($listener, false), ':'), 1);
}

/** @return list<resource> connections that nobody takes, until no more fit in */
function fill(int $port): array
{
    $waiting = [];
    do {
        $stream = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 0.3);
        $waiting[] = $stream;
    } while ($stream !== false && count($waiting) < 64);
    return array_values(array_filter($waiting));
}

$listeners = [];
foreach (ROLES as $role) {
    $listeners[$role] = listen();
}
$full = listen(1);
$waiting = fill(port_of($full));
echo json_encode(array_map(port_of(...), $listeners) + ['full' => port_of($full)]), "\n";
$loop = new Loop($listeners);
while (posix_getppid() > 1) {
    $loop->turn();
}
