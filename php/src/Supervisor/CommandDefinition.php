<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Stampede\Exception\ConfigurationException;

/** A background command as the option "background" names it. */
final readonly class CommandDefinition
{
    private const KEYS = ['command', 'every', 'timeout'];

    /**
     * @param non-empty-list<string> $words the program and its arguments
     * @param float $every seconds from one start to the next; 0: it is started again when it ends
     * @param float $timeout seconds that it may run; 0: any time
     */
    private function __construct(public string $name, public array $words, public float $every, public float $timeout) {}

    /**
     * @param array<string, mixed> $given commands by name: a list of words, or ['command' => [...], 'every' => seconds, 'timeout' => seconds]
     * @return list<self>
     * @throws ConfigurationException
     */
    public static function all(array $given): array
    {
        return array_map(self::one(...), array_keys($given), array_values($given));
    }

    private static function one(int|string $name, mixed $entry): self
    {
        $entry = is_array($entry) ? (array_is_list($entry) ? ['command' => $entry] : $entry) : [];
        $words = $entry['command'] ?? null;
        [$every, $timeout] = [self::seconds($entry['every'] ?? 0), self::seconds($entry['timeout'] ?? 0)];
        if (!is_string($name) || !is_array($words) || $words === [] || $words !== array_filter($words, is_string(...)) || $every === null || $timeout === null
            || array_diff(array_keys($entry), self::KEYS) !== []) {
            throw new ConfigurationException("The option \"background\": \"{$name}\" must be a list of words such as [\"php\", \"bin/queue.php\"], or {\"command\": [...], \"every\": seconds, \"timeout\": seconds}.");
        }
        return new self($name, array_values($words), $every, $timeout);
    }

    private static function seconds(mixed $value): ?float
    {
        return is_numeric($value) && $value >= 0 ? (float) $value : null;
    }
}
