<?php

declare(strict_types=1);

namespace Stampede\Heap;

use Stampede\Exception\ServerException;
use Stampede\Supervisor\ServerStateFile;

/** Questions about the heap to some workers of a server. */
final readonly class Workers
{
    public const FORGET = 3; // of "heap"
    public const STOP = 0; // of "growth"

    private int $session;

    /**
     * @param list<int>|null $places null: all
     * @param int $pause milliseconds that a worker may be held up by a look
     */
    public function __construct(private ServerStateFile $server, private ?array $places, private int $pause)
    {
        $this->session = random_int(1, (1 << 46) - 1);
    }

    /**
     * @return array<string, array<string, mixed>> what each worker says, or "error", by its name
     * @throws ServerException when there is none
     */
    public function ask(string $question, int $action): array
    {
        $answers = [];
        foreach ($this->places ?? [null] as $place) {
            $command = ['command' => $question, 'number' => $this->session << 16 | $this->pause << 2 | $action] + ($place === null ? [] : ['worker' => $place]);
            foreach ($this->server->call($command)['workers'] ?? [] as $worker) {
                if ($worker['kind'] === 'worker') {
                    $answers["{$worker['id']} (pid {$worker['pid']})"] = $worker[$question] ?? ['error' => $worker['error'] ?? 'does not respond'];
                }
            }
        }
        return $answers !== [] ? $answers : throw new ServerException('There is no worker that responds.');
    }

    /** @return array<string, int> requests that each worker has had so far, by its name */
    public function requests(): array
    {
        $requests = [];
        foreach ($this->server->ask('workers')['workers'] ?? [] as $worker) {
            $requests["{$worker['id']} (pid {$worker['pid']})"] = (int) ($worker['requests'] ?? 0);
        }
        return $requests;
    }
}
