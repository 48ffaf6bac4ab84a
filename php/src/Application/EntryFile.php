<?php

declare(strict_types=1);

namespace Stampede\Application;

use PhpToken;

/** What can be seen of a PHP file without running it. */
final readonly class EntryFile
{
    private string $text;

    public function __construct(string $path)
    {
        $this->text = (string) @file_get_contents($path);
    }

    public function mentions(string $text): bool
    {
        return str_contains($this->text, $text);
    }

    public function namesHandler(): bool
    {
        return preg_match('~RequestHandler|AppFactory|Slim\\\\|Mezzio\\\\|Psr\\\\Http|HttpHandlerRunner|Middleware~', $this->text) === 1;
    }

    /** Whether it returns something that may be an application: no list of settings, no text or number. */
    public function mayReturnHandler(): bool
    {
        $tokens = array_values(array_filter(PhpToken::tokenize($this->text), static fn (PhpToken $token): bool => !$token->isIgnorable()));
        $depth = 0;
        $returned = null;
        foreach ($tokens as $i => $token) {
            $depth += match ($token->text) {
                '{', '(', '[' => 1,
                '}', ')', ']' => -1,
                default => $token->is([T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES]) ? 1 : 0,
            };
            if ($depth === 0 && $token->is(T_RETURN)) {
                $returned = $i + 1;
            }
        }
        if ($depth !== 0) { // a syntax error, which the start will tell
            return preg_match('/^return\b/m', $this->text) === 1;
        }
        return $returned !== null && self::isObject(array_slice($tokens, $returned));
    }

    /** @param list<PhpToken> $expression */
    private static function isObject(array $expression): bool
    {
        $first = $expression[0] ?? null;
        if ($first === null || $first->is(['[', ';', '-']) || $first->is([T_ARRAY, T_LNUMBER, T_DNUMBER, T_CONSTANT_ENCAPSED_STRING, T_START_HEREDOC])) {
            return false;
        }
        $isOfArrays = $first->is(T_STRING) && (str_starts_with(strtolower($first->text), 'array_') || in_array(strtolower($first->text), ['true', 'false', 'null'], true));
        return !$isOfArrays;
    }
}
