<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use PhpToken;

/** Some lines of a PHP file as HTML, with classes for what a token is. */
final readonly class SourceExcerpt
{
    private const LARGEST = 1 << 20; // bytes of a file that is shown
    private const CLASSES = [
        'c' => [T_COMMENT, T_DOC_COMMENT],
        's' => [T_CONSTANT_ENCAPSED_STRING, T_ENCAPSED_AND_WHITESPACE, T_LNUMBER, T_DNUMBER],
        'v' => [T_VARIABLE],
    ];

    /** @param int $around lines before and after */
    public function __construct(private string $file, private int $line, private int $around) {}

    /** Empty when the file cannot be read. */
    public function html(): string
    {
        if (!is_file($this->file) || filesize($this->file) > self::LARGEST) {
            return '';
        }
        $lines = explode("\n", $this->coloured((string) @file_get_contents($this->file)));
        $shown = '';
        for ($number = max(1, $this->line - $this->around); $number <= min(count($lines), $this->line + $this->around); $number++) {
            $shown .= sprintf('<span%s><i>%d</i>%s</span>', $number === $this->line ? ' class="here"' : '', $number, rtrim($lines[$number - 1]));
        }
        return "<pre>{$shown}</pre>";
    }

    /** As many lines as before: a token of several lines is a piece in each. */
    private function coloured(string $source): string
    {
        if (!class_exists(PhpToken::class)) {
            return self::text($source);
        }
        $html = '';
        foreach (PhpToken::tokenize($source) as $token) {
            $class = self::classOf($token);
            $text = self::text($token->text);
            $html .= $class === '' ? $text : implode("\n", array_map(static fn (string $piece): string => "<b class={$class}>{$piece}</b>", explode("\n", $text)));
        }
        return $html;
    }

    private static function classOf(PhpToken $token): string
    {
        foreach (self::CLASSES as $class => $kinds) {
            if ($token->is($kinds)) {
                return $class;
            }
        }
        // Words that are neither names nor in another class are the language's own.
        return !$token->is([T_STRING, T_INLINE_HTML, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_NAME_RELATIVE]) && preg_match('/^[a-z_]+$/i', $token->text) === 1 ? 'k' : '';
    }

    private static function text(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
    }
}
