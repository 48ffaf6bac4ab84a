<?php

declare(strict_types=1);

/* SQLite in coroutines, by PDO and by the class SQLite3: beside the loop, with locks, cancelled, at the end of a script. */

namespace Stampede\Tests\E2e;

final class hooks_sqlite_test extends EndToEndTest
{
    private static string $folder;
    private static mixed $php;

    public static function setUpBeforeClass(): void
    {
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        self::$php = phpWithModule($module);
        self::$folder = External::folder();
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testQueries(): void
    {
        $folder = self::$folder;
        Companion::reportChecks($this, self::command(__DIR__ . '/apps/hooks_sqlite.php', $folder), 180.0);
    }

    public function testTheEndOfAScript(): void
    {
        $folder = self::$folder;
        // How a script ends that has calls under way.
        foreach (['slow', 'locked', 'fatal', 'fork'] as $how) {
            // After a fatal error, and in a child, nothing is given back.
            $leaks = $how === 'fatal' || $how === 'fork' ? ['STAMPEDE_LEAKS' => '0'] : [];
            $program = new Companion(self::command(__DIR__ . '/apps/hooks_sqlite_end.php', $how, $folder), $leaks);
            $status = $program->waitForEnd(30.0);
            $this->same("the end of a script with calls under way: $how", 255, $status);
            $this->same("and what it says: $how", 1, preg_match($how === 'fatal' ? '~^PHP Fatal error.* ends here.*\nunder way: 2$|ends here~s' : '~^under way: 2(\nchild: 0)?(\nPHP Warning: .* (database is locked|interrupted) in .*)?$~', trim($program->output())) ?: $program->output());
        }
    }

    /** @return list<string> */
    private static function command(string ...$arguments): array
    {
        $php = self::$php;
        return [...$php, '-d', 'error_reporting=-1', ...$arguments];
    }
}
