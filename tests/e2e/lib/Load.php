<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/**
 * Many keep-alive connections that ask one after another, as a proxy does, and count what becomes of every request.
 * Nothing is tried again: a request that was sent and not answered whole is a failure.
 */
final class Load
{
    public int $sent = 0;
    public int $answered = 0;
    public int $refused = 0;   // connections that could not be made
    public int $cut = 0;       // requests without a whole answer
    /** @var array<int, int> answers by status */
    public array $statuses = [];
    /** @var list<string> */
    public array $faults = [];

    /** @var array<int, array{socket: resource, received: string, waiting: bool, fresh: bool}> */
    private array $connections = [];

    public function __construct(private readonly string $address, private readonly int $wanted, private readonly string $path = '/')
    {
    }

    /** Goes on until the condition holds, then lets every open request end. False when the time is over. */
    public function runUntil(callable $done, float $seconds = 30.0): bool
    {
        $deadline = microtime(true) + $seconds;
        while (!$done($this)) {
            if (microtime(true) > $deadline) {
                return false;
            }
            $this->fill();
            $this->step();
        }
        return $this->finish();
    }

    public function runFor(float $seconds): self
    {
        $end = microtime(true) + $seconds;
        $this->runUntil(static fn (): bool => microtime(true) >= $end, $seconds + 20);
        return $this;
    }

    public function failures(): int
    {
        return $this->refused + $this->cut;
    }

    public function summary(): string
    {
        return "$this->sent sent, $this->answered answered, $this->cut cut, $this->refused refused, statuses "
            . json_encode($this->statuses) . ' ' . implode('; ', array_slice($this->faults, 0, 3));
    }

    private function finish(): bool
    {
        $deadline = microtime(true) + 15;
        while (array_filter($this->connections, static fn (array $one): bool => $one['waiting']) !== []) {
            if (microtime(true) > $deadline) {
                $this->faults[] = 'requests were still unanswered after 15 s';
                return false;
            }
            $this->step(false);
        }
        foreach ($this->connections as $connection) {
            fclose($connection['socket']);
        }
        $this->connections = [];
        return true;
    }

    private function fill(): void
    {
        while (count($this->connections) < $this->wanted) {
            $socket = @stream_socket_client($this->address, $code, $message, 5.0);
            if ($socket === false) {
                $this->refused++;
                $this->faults[] = "not connected: $message";
                usleep(10000);
                return;
            }
            stream_set_blocking($socket, false);
            $this->connections[(int) $socket] = ['socket' => $socket, 'received' => '', 'waiting' => false, 'fresh' => true];
            $this->ask((int) $socket);
        }
    }

    private function ask(int $id): void
    {
        $request = "GET $this->path HTTP/1.1\r\nHost: load\r\n\r\n";
        $this->connections[$id]['received'] = '';
        $this->connections[$id]['waiting'] = true;
        $this->sent++;
        if (@fwrite($this->connections[$id]['socket'], $request) !== strlen($request)) {
            $this->drop($id, 'the request could not be written');
        }
    }

    private function step(bool $goOn = true): void
    {
        $readable = array_column($this->connections, 'socket');
        $none = [];
        if ($readable === [] || !stream_select($readable, $none, $none, 0, 50000)) {
            return;
        }
        foreach ($readable as $socket) {
            $this->read((int) $socket, $goOn);
        }
    }

    private function read(int $id, bool $goOn): void
    {
        $connection = &$this->connections[$id];
        $bytes = @fread($connection['socket'], 65536);
        if ($bytes === '' || $bytes === false) {
            $connection['waiting'] ? $this->drop($id, 'closed behind ' . strlen($connection['received']) . ' bytes') : $this->close($id);
            return;
        }
        $connection['received'] .= $bytes;
        try {
            $answers = Answer::all($connection['received']);
        } catch (\UnexpectedValueException) {
            return;  // not whole yet
        }
        if ($answers === [] || !$answers[0]->whole) {
            return;
        }
        $this->answered++;
        $connection['waiting'] = false;
        $connection['fresh'] = false;
        $this->statuses[$answers[0]->status] = ($this->statuses[$answers[0]->status] ?? 0) + 1;
        if ($answers[0]->closes()) {
            $this->close($id);
        } elseif ($goOn) {
            $this->ask($id);
        }
    }

    private function drop(int $id, string $why): void
    {
        $this->cut++;
        $this->faults[] = $why . ($this->connections[$id]['fresh'] ? ' (first request)' : ' (kept connection)');
        $this->close($id);
    }

    private function close(int $id): void
    {
        fclose($this->connections[$id]['socket']);
        unset($this->connections[$id]);
    }
}
