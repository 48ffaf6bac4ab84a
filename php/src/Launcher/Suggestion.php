<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** The nearest right name for a wrong one. */
final class Suggestion
{
    /**
     * @param list<string> $names
     * @return string " (did you mean ...?)", or empty when none is near
     */
    public static function for(string $wrong, array $names): string
    {
        $best = null;
        $least = max(2, intdiv(strlen($wrong), 3)) + 1;
        foreach ($names as $name) {
            $distance = levenshtein(strtolower($wrong), $name);
            if ($distance < $least) {
                [$best, $least] = [$name, $distance];
            }
        }
        return $best === null ? '' : " (did you mean \"{$best}\"?)";
    }
}
