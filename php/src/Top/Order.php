<?php

declare(strict_types=1);

namespace Stampede\Top;

/** How requests in work are sorted. */
enum Order: string
{
    case Age = 'age';
    case Since = 'since';
    case Worker = 'worker';
    case Route = 'route';

    public function next(): self
    {
        $all = self::cases();
        return $all[(array_search($this, $all, true) + 1) % count($all)];
    }

    /**
     * @param list<RequestInWork> $requests
     * @param string $filter a part of anything that is shown of them
     * @return list<RequestInWork>
     */
    public function apply(array $requests, string $filter): array
    {
        $found = array_values(array_filter($requests, static fn (RequestInWork $each): bool => $filter === ''
            || stripos("{$each->name()} {$each->target} {$each->client} {$each->state} {$each->waitsFor} worker {$each->worker}", $filter) !== false));
        usort($found, fn (RequestInWork $a, RequestInWork $b): int => match ($this) {
            self::Age => $b->age <=> $a->age,
            self::Since => $b->since <=> $a->since,
            self::Worker => [$a->worker, $b->age] <=> [$b->worker, $a->age],
            self::Route => [$a->name(), $b->age] <=> [$b->name(), $a->age],
        });
        return $found;
    }
}
