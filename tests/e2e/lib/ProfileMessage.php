<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Reads profile.proto of pprof, by the wire format of protocol buffers alone: numbers and bytes by the number of their field. */
final class ProfileMessage
{
    /** @return array{types: list<array<int, int>>, samples: list<array{list<int>, list<int>}>, locations: array<int, int>, functions: array<int, array<int, int>>, strings: list<string>} */
    public static function decode(string $bytes): array
    {
        $out = ['types' => [], 'samples' => [], 'locations' => [], 'functions' => [], 'strings' => []];
        foreach (self::fields($bytes) as [$field, $value]) {
            match ($field) {
                1 => $out['types'][] = self::numbers($value),
                2 => $out['samples'][] = self::sample($value),
                4 => $out['locations'] += self::location($value),
                5 => $out['functions'][self::numbers($value)[1]] = self::numbers($value),
                6 => $out['strings'][] = $value,
                default => null,
            };
        }
        return $out;
    }

    /** @return array{list<int>, list<int>} */
    private static function sample(string $bytes): array
    {
        $lists = array_column(self::fields($bytes), 1, 0);
        return [self::packed($lists[1]), self::packed($lists[2])];
    }

    /** @return array<int, int> the function by the location */
    private static function location(string $bytes): array
    {
        $fields = array_column(self::fields($bytes), 1, 0);
        return [$fields[1] => self::numbers($fields[4])[1]];
    }

    /** @return array<int, int> */
    private static function numbers(string $bytes): array
    {
        return array_column(self::fields($bytes), 1, 0);
    }

    /** @return list<array{int, int|string}> */
    private static function fields(string $bytes): array
    {
        $fields = [];
        for ($at = 0; $at < strlen($bytes);) {
            $key = self::varint($bytes, $at);
            $value = self::varint($bytes, $at);
            if (($key & 7) === 2) {
                $at += $value;
                $value = substr($bytes, $at - $value, $value);
            } elseif (($key & 7) !== 0) {
                throw new \UnexpectedValueException("a field of the kind {$key}");
            }
            $fields[] = [$key >> 3, $value];
        }
        return $fields;
    }

    /** @return list<int> */
    private static function packed(string $bytes): array
    {
        $numbers = [];
        for ($at = 0; $at < strlen($bytes);) {
            $numbers[] = self::varint($bytes, $at);
        }
        return $numbers;
    }

    private static function varint(string $bytes, int &$at): int
    {
        for ($value = 0, $shift = 0;; $shift += 7) {
            $byte = ord($bytes[$at++]);
            $value |= ($byte & 0x7f) << $shift;
            if ($byte < 0x80) {
                return $value;
            }
        }
    }
}
