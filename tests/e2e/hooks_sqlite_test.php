<?php

declare(strict_types=1);

/* SQLite in coroutines, by PDO and by the class SQLite3: beside the loop, with locks, cancelled, at the end of a script. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
$module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
$php = phpWithModule($module);
$folder = External::folder();
/** @return list<string> */
$command = static fn (string ...$arguments): array => [...$php, '-d', 'error_reporting=-1', ...$arguments];

Companion::reportChecks($report, $command(__DIR__ . '/apps/hooks_sqlite.php', $folder), 180.0);

// How a script ends that has calls under way.
foreach (['slow', 'locked', 'fatal', 'fork'] as $how) {
    // After a fatal error, and in a child, nothing is given back.
    $leaks = $how === 'fatal' || $how === 'fork' ? ['STAMPEDE_LEAKS' => '0'] : [];
    $program = new Companion($command(__DIR__ . '/apps/hooks_sqlite_end.php', $how, $folder), $leaks);
    $status = $program->waitForEnd(30.0);
    $report->same("the end of a script with calls under way: $how", 255, $status);
    $report->same("and what it says: $how", 1, preg_match($how === 'fatal' ? '~^PHP Fatal error.* ends here.*\nunder way: 2$|ends here~s' : '~^under way: 2(\nchild: 0)?(\nPHP Warning: .* (database is locked|interrupted) in .*)?$~', trim($program->output())) ?: $program->output());
}
exec('rm -rf ' . escapeshellarg($folder));
$report->finish();
