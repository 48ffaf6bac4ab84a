<?php

declare(strict_types=1);

namespace Stampede\Library\RemoteObject;

use Swoole\RemoteObject;
use Swoole\RemoteObject\Exception;

/**
 * Values between a client and its server: null, scalars, arrays of them, and RemoteObject in the place of a hosted object. No
 * other class is ever made of what has been received.
 *
 * @internal
 */
final class Wire
{
    private const MOST_LEVELS = 64;

    /** @param array<mixed> $values */
    public static function pack(array $values): string
    {
        return serialize($values);
    }

    /**
     * @return array<mixed>
     * @throws Exception when these are not the bytes of such values
     */
    public static function unpack(string $bytes): array
    {
        $values = @unserialize($bytes, ['allowed_classes' => [RemoteObject::class], 'max_depth' => self::MOST_LEVELS + 8]);
        if (!is_array($values)) {
            throw new Exception('What was received is no message about remote objects.');
        }
        return $values;
    }

    /**
     * The value with each object replaced by what the function makes of it.
     *
     * @param callable(object): object $replace
     * @throws Exception when the value cannot be sent
     */
    public static function map(mixed $value, callable $replace, int $level = 0): mixed
    {
        if ($value === null || is_scalar($value)) {
            return $value;
        }
        if (is_object($value)) {
            return $replace($value);
        }
        if (!is_array($value)) {
            throw new Exception('A ' . gettype($value) . ' cannot leave its process: let an object that is hosted keep it.');
        }
        if ($level === self::MOST_LEVELS) {
            throw new Exception('An array of more than ' . self::MOST_LEVELS . ' levels cannot be sent.');
        }
        $mapped = [];
        foreach ($value as $key => $item) {
            $mapped[$key] = self::map($item, $replace, $level + 1);
        }
        return $mapped;
    }
}
