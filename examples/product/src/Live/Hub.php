<?php

declare(strict_types=1);

namespace Paddock\Live;

use Paddock\Accounts\User;
use Throwable;

/**
 * Who in this worker waits for what. A message may get lost, with a worker or with Redis: what must arrive is in the database, and a message only
 * says that it is time to look.
 */
final class Hub
{
    private const CHANGES = 'changes ';

    /** @var array<string, array<int, Subscription>> by topic */
    private array $subscriptions = [];
    private bool $listens = false;

    public function __construct(private readonly Wire $wire) {}

    public static function changesOf(User $user): string
    {
        return self::CHANGES . $user->id;
    }

    public static function draftsOf(User $user): string
    {
        return "drafts {$user->id}";
    }

    /** @param array<string, string> $message */
    public function publish(string $topic, array $message): void
    {
        try {
            $this->wire->send(json_encode([$topic, $message], JSON_THROW_ON_ERROR));
        } catch (Throwable $failure) {
            error_log("A live update could not be sent: {$failure->getMessage()}"); // what it is about has been done
        }
    }

    /** @param string $except whose messages are not wanted: those of the subscriber itself */
    public function subscribe(string $topic, string $except = ''): Subscription
    {
        if (!$this->listens) {
            $this->listens = true;
            $this->wire->listen($this->deliver(...), $this->lookAgain(...));
        }
        $subscription = new Subscription($this, $topic, $except);
        $this->subscriptions[$topic][spl_object_id($subscription)] = $subscription;
        return $subscription;
    }

    public function subscribers(string $topic): int
    {
        return count($this->subscriptions[$topic] ?? []);
    }

    public function leave(Subscription $subscription): void
    {
        unset($this->subscriptions[$subscription->topic][spl_object_id($subscription)]);
        if (($this->subscriptions[$subscription->topic] ?? null) === []) {
            unset($this->subscriptions[$subscription->topic]);
        }
    }

    /** Messages may have been lost: those who wait for changes look into the database. */
    private function lookAgain(): void
    {
        foreach ($this->subscriptions as $topic => $subscriptions) {
            foreach (str_starts_with($topic, self::CHANGES) ? $subscriptions : [] as $subscription) {
                $subscription->offer([]);
            }
        }
    }

    private function deliver(string $text): void
    {
        [$topic, $message] = json_decode($text, true, 4, JSON_THROW_ON_ERROR);
        foreach ($this->subscriptions[$topic] ?? [] as $subscription) {
            $subscription->offer($message);
        }
    }
}
