<?php

declare(strict_types=1);

/*
 * Hundreds of coroutines over three connections: statements that outlive the time in which their coroutine had the connection, second users, and
 * connections that are closed while another coroutine waits in them, that the server ends, or that come back in a state of their own.
 */

namespace Stampede\Tests\E2e;

use PHPUnit\Framework\Attributes\TestWith;

final class statements_test extends EndToEndTest
{
    /** @var list<Database> */
    private static array $databases;
    private static string $at;

    public static function setUpBeforeClass(): void
    {
        self::$databases = [$mysql, $pg, $redis] = [Database::mariadb(), Database::postgres(), Database::redis()];
        self::$at = json_encode(['mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port], JSON_THROW_ON_ERROR);
    }

    #[TestWith(['pooled'], 'pooled')]
    #[TestWith(['ends'], 'ends')]
    #[TestWith(['second_user'], 'second user')]
    #[TestWith(['closing'], 'closing')]
    public function testStatements(string $part): void
    {
        $this->runPart('statements.php', $part);
    }

    #[TestWith(['in_turn'], 'in turn')]
    #[TestWith(['long_parameter'], 'long parameter')]
    #[TestWith(['transactions'], 'transactions')]
    #[TestWith(['reset'], 'reset')]
    #[TestWith(['cancelled'], 'cancelled')]
    #[TestWith(['collection'], 'collection')]
    public function testEndingStatements(string $part): void
    {
        $this->runPart('ending_statements.php', $part);
    }

    #[TestWith(['left_open'], 'left open')]
    #[TestWith(['lost'], 'lost')]
    #[TestWith(['results'], 'results')]
    #[TestWith(['executing'], 'executing')]
    public function testLostConnections(string $part): void
    {
        $this->runPart('lost_connections.php', $part);
    }

    public function testConnectionsOfTheScriptsTopLevel(): void
    {
        $this->runPart('earlier_connections.php', '');
    }

    public function testConnectionsThatPhpKeeps(): void
    {
        $this->runPart('persistent_connections.php', '');
    }

    private function runPart(string $app, string $part): void
    {
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        Companion::reportChecks($this, [...phpWithModule($module), '-d', 'memory_limit=512M', '-d', 'error_reporting=-1', __DIR__ . "/apps/$app", self::$at, $part], 120.0);
    }
}
