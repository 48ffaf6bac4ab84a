<?php

declare(strict_types=1);

namespace Stampede\Dashboard;

/** What somebody should look at, in sentences. */
final class Findings
{
    private const SOON = 14 * 86_400; // seconds until a certificate ends

    /**
     * @param list<array<string, mixed>> $places
     * @param list<array<string, mixed>> $certificates
     * @return list<array{level: string, text: string}>
     */
    public static function of(array $places, string $failure, array $certificates, Numbers $numbers): array
    {
        $findings = [];
        $note = static function (string $level, string $text) use (&$findings): void {
            $findings[] = ['level' => $level, 'text' => $text];
        };
        $workers = array_filter($places, static fn (array $place): bool => $place['kind'] === 'worker');
        $down = count(array_filter($workers, static fn (array $place): bool => $place['state'] === 'down'));
        $failure === '' || $note('bad', "The newest code is not served: {$failure}");
        $down === 0 || $note('bad', $down === 1 ? 'One worker has ended, and its successor does not run yet.' : "{$down} workers have ended, and their successors do not run yet.");
        foreach ($certificates as $certificate) {
            $left = (int) $certificate['valid_until'] - time();
            $names = implode(', ', $certificate['names']);
            $left > self::SOON || $note($left < 0 ? 'bad' : 'warn', $left < 0 ? "The certificate of {$names} has expired." : "The certificate of {$names} ends in " . intdiv($left, 86_400) . ' days.');
        }
        $crashed = (int) (($numbers->others['worker_ends_total'] ?? 0) + ($numbers->others['worker_ends'] ?? 0));
        $crashed === 0 || $note('warn', $crashed === 1 ? 'One process was killed or has crashed since the start.' : "{$crashed} processes were killed or have crashed since the start.");
        $blocking = (int) ($numbers->others['blocking_calls_total'] ?? 0);
        $blocking === 0 || $note('warn', ($blocking === 1 ? 'One call' : "{$blocking} calls") . ' held a whole worker since the start: the log says which.');
        $growth = (int) ($numbers->others['growth_findings'] ?? 0);
        $growth === 0 || $note('warn', ($growth === 1 ? 'One thing grows' : "{$growth} things grow") . ' with each request: stampede leaks names what.');
        return $findings;
    }
}
