<?php

declare(strict_types=1);

namespace Stampede\Runner;

/** What $_SERVER has of the environment of the server. */
enum Environment
{
    /** All: frameworks look there for their settings. */
    case Whole;
    /** As behind PHP-FPM: nothing of it, which pages that print $_SERVER would show, unless variables_order has an E. */
    case AsPhpFpm;

    /** @return array<string, string> names that $_SERVER must not have */
    public function hidden(): array
    {
        $isHidden = $this === self::AsPhpFpm && !str_contains((string) ini_get('variables_order'), 'E');
        return $isHidden ? array_diff_key(getenv(), ['HOME' => true, 'USER' => true]) : [];
    }
}
