<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Counts and prints the outcome of checks. */
final class Report
{
    private int $passed = 0;
    private int $failed = 0;

    public function check(string $name, bool $ok, string $seen = ''): bool
    {
        $ok ? $this->passed++ : $this->failed++;
        echo $ok ? 'ok ' : 'not ok ', self::printable($name), "\n";
        if (!$ok && $seen !== '') {
            echo '#   ', str_replace("\n", "\n#   ", self::printable($seen)), "\n";
        }
        return $ok;
    }

    public function same(string $name, mixed $expected, mixed $actual): bool
    {
        return $this->check($name, $expected === $actual, 'expected ' . self::export($expected) . ', got ' . self::export($actual));
    }

    /** Prints the total and ends the program. */
    public function finish(): never
    {
        echo "$this->passed passed, $this->failed failed\n";
        exit($this->failed === 0 ? 0 : 1);
    }

    public static function printable(string $bytes): string
    {
        $text = preg_replace_callback(
            '/[^\x20-\x7e\n]/',
            static fn (array $match): string => sprintf('\x%02x', ord($match[0])),
            str_replace("\r\n", "\\r\\n\n", $bytes),
        );
        return strlen($text) > 900 ? substr($text, 0, 600) . ' ... ' . substr($text, -200) : $text;
    }

    private static function export(mixed $value): string
    {
        $text = json_encode($value, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
        return $text === false ? '?' : $text;
    }
}
