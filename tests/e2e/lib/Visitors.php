<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Clients that come one after another, each with a connection of its own. One that is refused tries again; nothing else is tried twice. */
final class Visitors
{
    private const EACH = 0.005; // seconds between two
    private const RETRY = 0.01;
    private const REQUEST = "GET /moment HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    public int $served = 0;
    public int $refused = 0;
    /** @var list<string> what became of the others */
    public array $lost = [];
    /** @var array<int, array{\Socket, string, bool}> socket, what came, whether the request was sent */
    private array $open = [];
    /** @var list<float> when those that were refused come again */
    private array $again = [];
    private float $next = 0.0;

    public function __construct(private readonly int $port)
    {
    }

    /** They come until the condition holds, for so many seconds at most. */
    public function until(float $seconds, callable $condition): bool
    {
        for ($deadline = microtime(true) + $seconds; !($holds = $condition()) && microtime(true) < $deadline;) {
            $now = microtime(true);
            if ($this->next <= $now) {
                $this->next = max($this->next + self::EACH, $now - 1.0);
                $this->come();
            }
            $this->serve($this->look(0.002));
            $due = array_filter($this->again, static fn (float $when): bool => $when <= $now);
            $this->again = array_values(array_diff_key($this->again, $due));
            array_map(fn (): null => $this->come(), $due);
        }
        return $holds;
    }

    /** The last ones get their responses, nobody comes any more. */
    public function finish(): void
    {
        for ($deadline = microtime(true) + 10.0; $this->open !== [] && microtime(true) < $deadline;) {
            $this->serve($this->look(0.1));
        }
        $this->lost = [...$this->lost, ...array_fill(0, count($this->open), 'no response within 10 seconds')];
        $this->open = [];
    }

    private function come(): null
    {
        $socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
        socket_set_nonblock($socket);
        if (@socket_connect($socket, '127.0.0.1', $this->port) || socket_last_error($socket) === SOCKET_EINPROGRESS) {
            $this->open[spl_object_id($socket)] = [$socket, '', false];
        } else {
            $this->refuse();
        }
        return null;
    }

    private function refuse(): void
    {
        $this->refused++;
        $this->again[] = microtime(true) + self::RETRY;
    }

    /** @return array{list<\Socket>, list<\Socket>} those that can be read from, and written to */
    private function look(float $seconds): array
    {
        $reads = array_column(array_filter($this->open, static fn (array $one): bool => $one[2]), 0);
        $writes = array_column(array_filter($this->open, static fn (array $one): bool => !$one[2]), 0);
        $none = null;
        if ($reads === [] && $writes === []) {
            usleep((int) ($seconds * 1e6));
        } elseif (!socket_select($reads, $writes, $none, 0, (int) ($seconds * 1e6))) {
            return [[], []];
        }
        return [$reads, $writes];
    }

    /** @param array{list<\Socket>, list<\Socket>} $ready */
    private function serve(array $ready): void
    {
        foreach ($ready[1] as $socket) {
            $error = socket_get_option($socket, SOL_SOCKET, SO_ERROR);
            if ($error === SOCKET_ECONNREFUSED) {
                unset($this->open[spl_object_id($socket)]);
                $this->refuse();
            } elseif ($error !== 0 || @socket_write($socket, self::REQUEST) !== strlen(self::REQUEST)) {
                $this->lose($socket, 'while it connected: ' . socket_strerror($error ?: socket_last_error($socket)));
            } else {
                $this->open[spl_object_id($socket)][2] = true;
            }
        }
        foreach ($ready[0] as $socket) {
            $id = spl_object_id($socket);
            $bytes = @socket_read($socket, 65536);
            if ($bytes === false) {
                $this->lose($socket, 'after its request: ' . socket_strerror(socket_last_error($socket)));
            } elseif ($bytes !== '') {
                $this->open[$id][1] .= $bytes;
            } elseif (str_starts_with($this->open[$id][1], 'HTTP/1.1 200 ') && str_ends_with($this->open[$id][1], 'served')) {
                $this->served++;
                unset($this->open[$id]);
            } else {
                $this->lose($socket, 'closed after "' . substr($this->open[$id][1], 0, 40) . '"');
            }
        }
    }

    private function lose(\Socket $socket, string $how): void
    {
        $this->lost[] = $how;
        unset($this->open[spl_object_id($socket)]);
    }
}
