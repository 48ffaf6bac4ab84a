<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** The kinds of values that options have. */
enum OptionType
{
    case Text;
    case Path;
    case Texts;
    case Lines;
    case Addresses;
    case UrlPath;
    case UrlPaths;
    case Flag;
    case Number;
    case Seconds;
    case Patience;
    case Size;
    case Workers;
    case Processes;

    /** What "auto" is of a Patience. */
    public const AUTOMATIC = -1.0;

    private const MOST_WORKERS = 1024; // of a server
    private const MOST_PROCESSES = 1024; // of a worker

    /** @throws ConfigurationException when the value is not of this kind */
    public function read(string $name, mixed $value): mixed
    {
        $read = match ($this) {
            self::Text, self::Path => is_scalar($value) ? (string) $value : null,
            self::Texts => $this->split($value),
            self::Lines => is_string($value) ? ($value === '' ? [] : [$value]) : (is_array($value) && $value === array_filter($value, 'is_string') ? array_values($value) : null),
            self::Addresses => $this->split($value) ?: null,
            self::UrlPath => is_string($value) && ($value === '' || $value[0] === '/') ? $value : null,
            self::UrlPaths => $this->paths($value),
            self::Flag => is_bool($value) ? $value : filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE),
            self::Number => $this->number($value),
            self::Seconds => is_numeric($value) && $value >= 0 ? (float) $value : null,
            self::Patience => $value === 'auto' ? self::AUTOMATIC : (is_numeric($value) && $value >= 0 ? (float) $value : null),
            self::Size => self::bytes($value),
            self::Processes => $this->number($value, 1, self::MOST_PROCESSES),
            self::Workers => $value === 'auto' ? 0 : $this->number($value, 1, self::MOST_WORKERS),
        };
        if ($read === null) {
            throw new ConfigurationException(sprintf('The option "%s" must be %s, not %s.', $name, $this->wanted(), json_encode($value)));
        }
        return $read;
    }

    private function wanted(): string
    {
        return match ($this) {
            self::Text, self::Path => 'a text',
            self::Texts, self::Lines => 'a text, or several of them',
            self::Addresses => 'ADDRESS:PORT such as 127.0.0.1:8000, or several of them',
            self::UrlPath => 'a path that begins with "/", such as /up',
            self::UrlPaths => 'a path that begins with "/", or several of them',
            self::Flag => 'true or false',
            self::Number => 'a whole number from 0',
            self::Seconds => 'a number of seconds',
            self::Patience => '"auto" or a number of seconds',
            self::Size => 'a size such as 64M, 1G or a number of bytes',
            self::Processes => 'a whole number from 1 to ' . self::MOST_PROCESSES,
            self::Workers => '"auto" or a whole number from 1 to ' . self::MOST_WORKERS,
        };
    }

    /** @return list<string>|null */
    private function texts(mixed $value): ?array
    {
        if (is_string($value)) {
            return array_values(array_filter(array_map('trim', explode(',', $value)), fn (string $text): bool => $text !== ''));
        }
        return is_array($value) && $value === array_filter($value, 'is_string') ? array_values($value) : null;
    }

    /** @return list<string>|null each text may hold several, separated by commas */
    private function split(mixed $value): ?array
    {
        $texts = $this->texts($value);
        return $texts === null ? null : $this->texts(implode(',', $texts));
    }

    /** @return list<string>|null */
    private function paths(mixed $value): ?array
    {
        $texts = $this->texts($value);
        return $texts !== null && array_filter($texts, static fn (string $text): bool => !str_starts_with($text, '/')) === [] ? $texts : null;
    }

    private function number(mixed $value, int $least = 0, int $most = PHP_INT_MAX): ?int
    {
        $number = filter_var($value, FILTER_VALIDATE_INT, ['options' => ['min_range' => $least, 'max_range' => $most]]);
        return $number === false ? null : $number;
    }

    private static function bytes(mixed $value): ?int
    {
        if (!preg_match('/^(\d+)\s*([kmg]?)b?$/i', (string) (is_scalar($value) ? $value : ''), $part)) {
            return null;
        }
        $unit = ['' => 1, 'k' => 1 << 10, 'm' => 1 << 20, 'g' => 1 << 30][strtolower($part[2])];
        return (int) $part[1] <= intdiv(PHP_INT_MAX, $unit) ? (int) $part[1] * $unit : null;
    }
}
