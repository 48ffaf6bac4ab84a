<?php

declare(strict_types=1);

namespace Stampede\Health;

use Stampede\Supervisor\GenerationStatus;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Client;

/** Questions to the supervisor's control socket, which coroutines of the supervisor itself may ask: nothing here blocks its loop. */
final readonly class Supervisor
{
    private const TIME = 2.0; // seconds

    /** One question at a time: the control socket takes few clients, and its other ones are people with questions of their own. */
    private Channel $turn;

    public function __construct(private string $socket)
    {
        $this->turn = new Channel(1);
    }

    /** @return array<string, mixed>|null null: no response */
    public function ask(string $command): ?array
    {
        $this->turn->push(true); // each question before has its time limit
        try {
            return $this->askNow($command);
        } finally {
            $this->turn->pop();
        }
    }

    /** @return array<string, mixed>|null */
    private function askNow(string $command): ?array
    {
        $client = new Client(SWOOLE_SOCK_UNIX_STREAM);
        $client->set(['timeout' => self::TIME, 'open_eof_check' => true, 'package_eof' => "\n", 'package_max_length' => 16 << 20]);
        if (!@$client->connect($this->socket, 0, self::TIME)) {
            return null;
        }
        $client->send(json_encode(['command' => $command], JSON_THROW_ON_ERROR) . "\n");
        $response = json_decode((string) $client->recv(self::TIME), true);
        $client->close();
        return is_array($response) && !isset($response['error']) ? $response : null;
    }

    /** serving, draining or stopping; empty when it does not say. */
    public function state(): string
    {
        return (string) ($this->ask('status')['state'] ?? '');
    }

    /** @return list<array<string, mixed>>|null */
    public function places(): ?array
    {
        return $this->ask('workers')['workers'] ?? null;
    }

    public function generation(): ?GenerationStatus
    {
        $facts = $this->ask('generation');
        return $facts === null ? null : GenerationStatus::of($facts);
    }
}
