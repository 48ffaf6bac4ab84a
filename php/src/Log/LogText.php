<?php

declare(strict_types=1);

namespace Stampede\Log;

use function Stampede\write_log;

/** Text of clients and applications on its way into a log: it can neither make lines that look like others nor speak to a terminal, and is not endless. */
final class LogText
{
    private const LONGEST = 16384; // bytes
    private const CUT = ' ... (cut)';

    /** The number of this worker; -1: it is none. */
    public static int $worker = -1;

    /** Logs a message of its own, in the format of the log: lines, or one object of JSON. */
    public static function log(string $text, string $level = 'error'): void
    {
        self::write(self::message($text, $level));
    }

    /** What is in the format of the log already. In that of JSON the standard error is for what others print. */
    public static function write(string $lines): void
    {
        self::isJson() ? write_log($lines) : fwrite(STDERR, $lines);
    }

    public static function message(string $text, string $level = 'error'): string
    {
        if (!self::isJson()) {
            return self::lines($text);
        }
        $worker = self::$worker < 0 ? [] : ['worker' => self::$worker];
        $object = ['time' => (new \DateTimeImmutable())->format(\DATE_RFC3339_EXTENDED), 'level' => $level] + $worker + ['message' => self::cut(rtrim($text))];
        return json_encode($object, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }

    private static function isJson(): bool
    {
        return ini_get('stampede.log_messages') === 'json';
    }

    /** One line, with its end. */
    public static function line(string $text): string
    {
        return self::escaped(self::cut($text)) . "\n";
    }

    /** Several lines, of which each but the first is indented, so that none looks like the first of another message. */
    public static function lines(string $text): string
    {
        $lines = explode("\n", str_replace("\r\n", "\n", self::cut(rtrim($text))));
        return implode("\n    ", array_map(self::escaped(...), $lines)) . "\n";
    }

    public static function cut(string $text): string
    {
        if (strlen($text) <= self::LONGEST) {
            return $text;
        }
        // No half character of UTF-8 stays at the end.
        return preg_replace('/[\xc0-\xff][\x80-\xbf]{0,3}$/', '', substr($text, 0, self::LONGEST)) . self::CUT;
    }

    /** Control characters as programmers write them, those of Latin-1 that UTF-8 has two bytes for as well. */
    private static function escaped(string $text): string
    {
        $escape = static fn (array $found): string => match ($found[0]) {
            "\n" => '\n',
            "\r" => '\r',
            default => strlen($found[0]) === 1 ? sprintf('\x%02x', ord($found[0])) : sprintf('\u%04x', ord($found[0][1])),
        };
        // In text that is not UTF-8 a single byte may be a control character.
        $controls = preg_match('//u', $text) === 1 ? '/[\x00-\x08\x0a-\x1f\x7f]|\xc2[\x80-\x9f]/' : '/[\x00-\x08\x0a-\x1f\x7f-\xff]/';
        return (string) preg_replace_callback($controls, $escape, $text);
    }
}
