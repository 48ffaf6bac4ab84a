<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Counts and prints the outcome of checks. */
final class Report
{
    private int $passed = 0;
    private int $failed = 0;

    /** @param resource|null $output where it prints to, in place of PHP's output */
    public function __construct(private readonly mixed $output = null)
    {
    }

    public function check(string $name, bool $ok, string $seen = ''): bool
    {
        $ok ? $this->passed++ : $this->failed++;
        $this->say(($ok ? 'ok ' : 'not ok ') . self::printable($name));
        if (!$ok && $seen !== '') {
            $this->remark(self::printable($seen));
        }
        return $ok;
    }

    public function same(string $name, mixed $expected, mixed $actual): bool
    {
        return $this->check($name, $expected === $actual, self::difference($expected, $actual));
    }

    public static function difference(mixed $expected, mixed $actual): string
    {
        return 'expected ' . self::export($expected) . ', got ' . self::export($actual);
    }

    public function say(string $line): void
    {
        if ($this->output === null) {
            echo $line, "\n";
        } else {
            fwrite($this->output, "$line\n");
        }
    }

    /** Lines that are no check. */
    public function remark(string $text): void
    {
        $this->say('#   ' . str_replace("\n", "\n#   ", $text));
    }

    public function total(): string
    {
        return "$this->passed passed, $this->failed failed";
    }

    /** Prints the total and ends the program. */
    public function finish(): never
    {
        $this->say($this->total());
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
