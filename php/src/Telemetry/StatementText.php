<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

/** What a trace has of an SQL statement: its text without values, cut, and in one or two words what it does. */
final class StatementText
{
    private const LENGTH = 2048; // bytes
    private const READ = 16384; // bytes of a longer statement that are looked at
    private const REMEMBERED = 512; // statements
    private const REMEMBERED_LENGTH = 1024; // bytes

    private const COMMENTS = '\/\*.*?(?:\*\/|$)|--[^\n]*';
    private const NUMBERS = '(?<![\w$.:@])[+-]?(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b';
    // What is not closed ends with the text, as it may have been cut. Only MySQL has backslashes in all strings, and strings between double quotes.
    private const OF_MYSQL = '/(' . self::COMMENTS . '|\#[^\n]*)|(`[^`]*`)|(?:\b[xXbBnN])?\'(?:[^\'\\\\]++|\\\\.|\'\')*+(?:\'|$)|"(?:[^"\\\\]++|\\\\.|"")*+(?:"|$)|' . self::NUMBERS . '/is';
    private const OF_OTHERS = '/(' . self::COMMENTS . ')|("[^"]*"|`[^`]*`)|\be\'(?:[^\'\\\\]++|\\\\.|\'\')*+(?:\'|$)|(?:\b[xbn])?\'(?:[^\']++|\'\')*+(?:\'|$)|(\$\w*\$).*?(?:\3|$)|' . self::NUMBERS . '/is';

    /** @var array<string, array{text: string, operation: string, summary: string}> */
    private array $known = [];

    public function __construct(private readonly bool $withValues) {}

    /**
     * @param string $system as OpenTelemetry names it
     * @return array{text: string, operation: string, summary: string} the operation in capitals; the summary with what it is done to
     */
    public function describe(string $statement, string $system): array
    {
        $key = "{$system} {$statement}";
        if (isset($this->known[$key])) {
            return $this->known[$key];
        }
        $isMysql = $system === 'mysql';
        $read = substr($statement, 0, self::READ);
        $text = trim(preg_replace_callback($isMysql ? self::OF_MYSQL : self::OF_OTHERS, static fn (array $part): string => match (true) {
            ($part[1] ?? '') !== '' => ' ', // a comment may have anything in it
            ($part[2] ?? '') !== '' => $part[2], // a name
            default => '?',
        }, $read) ?? '?');
        $operation = preg_match('/^\(*\s*([a-z]{1,32})\b/i', $text, $part) === 1 ? strtoupper($part[1]) : 'SQL';
        $target = preg_match('/\b(?:from|into|update|join|table)\s+(?:if\s+(?:not\s+)?exists\s+)?([`"\w.$]{1,128})/i', $text, $part) === 1 ? str_replace(['`', '"'], '', $part[1]) : '';
        $described = [
            'text' => self::cut($this->withValues ? $statement : $text),
            'operation' => $operation,
            'summary' => trim("{$operation} {$target}"),
        ];
        if (strlen($statement) <= self::REMEMBERED_LENGTH) {
            if (count($this->known) >= self::REMEMBERED) {
                unset($this->known[array_key_first($this->known)]);
            }
            $this->known[$key] = $described;
        }
        return $described;
    }

    public function showsValues(): bool
    {
        return $this->withValues;
    }

    /** Between characters: exporters take valid UTF-8 alone. */
    public static function cut(string $text): string
    {
        $text = strlen($text) <= self::LENGTH ? $text : (string) preg_replace('/[\xc0-\xff][\x80-\xbf]{0,3}$/D', '', substr($text, 0, self::LENGTH));
        return preg_match('//u', $text) === 1 ? $text : (string) preg_replace('/[\x80-\xff]/', '?', $text);
    }
}
