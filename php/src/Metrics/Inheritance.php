<?php

declare(strict_types=1);

namespace Stampede\Metrics;

use function Stampede\metrics_file;

/** What a program gets so that it counts in the server's metrics: a descriptor of their memory, and a variable that names it. */
final class Inheritance
{
    private const VARIABLE = 'STAMPEDE_METRICS';
    private const DESCRIPTOR = 9; // in the program; nobody else gives that one

    /**
     * Both for proc_open(), nothing where there are no metrics.
     *
     * @return array{array<int, resource>, array<string, string>} descriptors, and the environment beside that of this process
     */
    public static function of(): array
    {
        $number = metrics_file();
        $file = $number < 0 ? false : @fopen("php://fd/{$number}", 'r+');
        return $file === false ? [[], []] : [[self::DESCRIPTOR => $file], [self::VARIABLE => (string) self::DESCRIPTOR]];
    }
}
