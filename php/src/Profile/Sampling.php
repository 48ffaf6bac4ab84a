<?php

declare(strict_types=1);

namespace Stampede\Profile;

use Closure;
use Stampede\Exception\ServerException;
use Stampede\Supervisor\ServerStateFile;

/**
 * Keeps the profilers of a server's workers going, and fetches what they have seen once a second: so nothing of it becomes large, workers that
 * come meanwhile are profiled as well, and all of them stop by themselves when nobody asks any more.
 */
final class Sampling
{
    private const OFF = 0;
    private const STEP = 1.0; // seconds
    private const PATIENCE = 10.0; // seconds, at the end, for workers that compute

    private readonly int $session;
    private int $refused = 0; // of the workers that were asked last
    /** @var array<string, string> why a worker's samples are missing, by the worker */
    private array $missing = [];

    /** @param list<int>|null $places the workers that are looked at; null: all */
    public function __construct(private readonly ServerStateFile $server, private readonly Profile $profile, private readonly ?array $places)
    {
        $this->session = random_int(1, (1 << 48) - 1);
    }

    /**
     * @param Closure(): bool $isEnough true: it ends before its time
     * @throws ServerException when there is nothing to profile
     */
    public function run(float $seconds, Closure $isEnough): void
    {
        $began = microtime(true);
        $asked = $this->ask($this->profile->mode->number());
        if ($asked === $this->refused) {
            throw new ServerException($asked === 0 ? 'There is no worker that could be profiled.' : 'The workers cannot be profiled: ' . current($this->missing) . '.');
        }
        while (($left = $began + $seconds - microtime(true)) > 0 && !$isEnough()) {
            usleep((int) (1e6 * min(self::STEP, $left)));
            $this->ask($this->profile->mode->number());
        }
        $this->profile->seconds = microtime(true) - $began;
        for ($until = microtime(true) + self::PATIENCE; $this->ask(self::OFF) > 0 && $this->missing !== [] && microtime(true) < $until && !$isEnough();) {
            usleep(200_000);
        }
    }

    /** @return list<string> sentences about workers whose last samples are missing */
    public function missing(): array
    {
        return array_map(static fn (string $worker, string $why): string => "Worker {$worker}: {$why}.", array_keys($this->missing), $this->missing);
    }

    /** @return int how many workers there are */
    private function ask(int $action): int
    {
        [$asked, $this->refused, $this->missing] = [0, 0, []]; // a worker that has ended meanwhile is not missed
        foreach ($this->places ?? [null] as $place) {
            $command = ['command' => 'profile', 'number' => $this->session << 2 | $action] + ($place === null ? [] : ['worker' => $place]);
            foreach ($this->server->call($command)['workers'] ?? [] as $worker) {
                $asked++;
                $this->take("{$worker['id']} (pid {$worker['pid']})", $worker, $action === self::OFF);
            }
        }
        return $asked;
    }

    /** @param array<string, mixed> $worker */
    private function take(string $name, array $worker, bool $isEnd): void
    {
        $piece = $worker['profile'] ?? ['error' => $worker['error'] ?? 'does not respond'];
        if (!isset($piece['error'])) {
            $this->profile->add($name, $piece);
        } elseif (!$isEnd || isset($worker['error'])) { // one that has stopped already says so
            $this->missing[$name] = $piece['error'];
            $this->refused += isset($worker['error']) ? 0 : 1;
        }
    }
}
