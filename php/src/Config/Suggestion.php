<?php

declare(strict_types=1);

namespace Stampede\Config;

/** The nearest right name for a wrong one. */
final class Suggestion
{
    /**
     * @param list<string> $names
     * @return string " (did you mean ...?)", or empty when none is near
     */
    public static function for(string $wrong, array $names): string
    {
        $best = self::closest($wrong, $names, max(2, intdiv(strlen($wrong), 3))) ?? self::completed($wrong, $names);
        return $best === null ? '' : " (did you mean \"{$best}\"?)";
    }

    /**
     * @param list<string> $names
     * @param int $most letters that may differ
     */
    public static function closest(string $wrong, array $names, int $most): ?string
    {
        $best = null;
        foreach ($names as $name) {
            $distance = levenshtein(strtolower($wrong), strtolower($name));
            if ($distance <= $most) {
                [$best, $most] = [$name, $distance - 1];
            }
        }
        return $best;
    }

    /**
     * @param list<string> $names
     * @return string|null one that the wrong one begins with, or that begins with it
     */
    private static function completed(string $wrong, array $names): ?string
    {
        foreach (strlen($wrong) > 2 ? $names : [] as $name) {
            if (str_starts_with(strtolower($wrong), $name) || str_starts_with($name, strtolower($wrong))) {
                return $name;
            }
        }
        return null;
    }
}
