<?php

declare(strict_types=1);

namespace Stampede\Log;

/** Text of clients and applications on its way into a log: it can neither make lines that look like others nor speak to a terminal, and is not endless. */
final class LogText
{
    private const LONGEST = 16384; // bytes
    private const CUT = ' ... (cut)';

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

    public static function cut(string $text, int $longest = self::LONGEST): string
    {
        if (strlen($text) <= $longest) {
            return $text;
        }
        // No half character of UTF-8 stays at the end.
        return preg_replace('/[\xc0-\xff][\x80-\xbf]{0,3}$/', '', substr($text, 0, $longest)) . self::CUT;
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
