<?php

declare(strict_types=1);

namespace Stampede\Tests\Telemetry;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Telemetry\StatementText;

final class StatementTextTest extends TestCase
{
    /** @return iterable<string, array{string, string, string, string}> */
    public static function statements(): iterable
    {
        yield 'values' => ['mysql', "SELECT * FROM users WHERE name = 'O''Neill' AND age > 42 AND x = 0xff", 'SELECT * FROM users WHERE name = ? AND age > ? AND x = ?', 'SELECT users'];
        yield 'strings of MySQL' => ['mysql', 'INSERT INTO `t` VALUES ("a\"b", \'c\\\'d\', -1.5e3)', 'INSERT INTO `t` VALUES (?, ?, ?)', 'INSERT t'];
        yield 'a backslash is none elsewhere' => ['postgresql', "SELECT 'a\\' , secret = 'x'", 'SELECT ? , secret = ?', 'SELECT'];
        yield 'names of PostgreSQL' => ['postgresql', 'UPDATE "Users" SET a = $1 WHERE b = E\'x\\\'y\' AND c = $$it\'s$$', 'UPDATE "Users" SET a = $1 WHERE b = ? AND c = ?', 'UPDATE Users'];
        yield 'tagged strings' => ['postgresql', 'SELECT $tag$a 1 $$ b$tag$, 2', 'SELECT ?, ?', 'SELECT'];
        yield 'comments go' => ['sqlite', "SELECT /* 'secret' */ 1 -- secret\n FROM a1", "SELECT   ?  \n FROM a1", 'SELECT a1'];
        yield 'a string that is not closed' => ['mysql', "SELECT 'secret", 'SELECT ?', 'SELECT'];
        yield 'names with digits' => ['sqlite', 'DELETE FROM t2 WHERE c3 = :p4', 'DELETE FROM t2 WHERE c3 = :p4', 'DELETE t2'];
        yield 'nothing' => ['sqlite', '', '', 'SQL'];
    }

    #[DataProvider('statements')]
    public function testValuesAreLeftOut(string $system, string $statement, string $text, string $summary): void
    {
        $described = (new StatementText(false))->describe($statement, $system);
        self::assertSame([$text, $summary], [$described['text'], $described['summary']]);
    }

    public function testItIsCutBetweenCharacters(): void
    {
        $text = (new StatementText(true))->describe('SELECT ' . str_repeat('ü', 2000), 'sqlite')['text'];
        self::assertLessThanOrEqual(2048, strlen($text));
        self::assertGreaterThan(2040, strlen($text));
        self::assertSame(1, preg_match('//u', $text));
        self::assertSame(1, preg_match('//u', (new StatementText(true))->describe("SELECT '\xff'", 'sqlite')['text']));
    }

    public function testLongStatementsHaveNoValuesEither(): void
    {
        $text = (new StatementText(false))->describe("INSERT INTO t VALUES ('" . str_repeat('secret', 10_000) . "')", 'postgresql')['text'];
        self::assertStringNotContainsString('secret', $text);
    }
}
