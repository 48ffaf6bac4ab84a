<?php

declare(strict_types=1);

namespace Stampede\Tests\Log;

use PHPUnit\Framework\TestCase;
use Stampede\Exception\BootException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Log\FailureLog;
use Stampede\Log\LogText;
use Stampede\Runner\InMemoryRequest;

/** Text of clients and applications in the log. */
final class LogFormatTest extends TestCase
{
    public function testControlCharactersAreWrittenAsProgrammersDo(): void
    {
        self::assertSame("a\\x1b[31mb\\n\n", LogText::line("a\e[31mb\n"));
        self::assertSame("\\u0085\n", LogText::line("\u{85}"));
        self::assertSame("\\xff\\x85\n", LogText::line("\xff\x85"), 'In text that is not UTF-8 a single byte may be a control character.');
    }

    public function testFurtherLinesOfAMessageAreIndented(): void
    {
        self::assertSame("first\n    second\n    third\n", LogText::lines("first\r\nsecond\nthird\n\n"));
    }

    public function testALongTextIsCutAtAWholeCharacter(): void
    {
        $cut = LogText::cut(str_repeat('ü', 10_000));
        self::assertStringEndsWith(' ... (cut)', $cut);
        self::assertSame(1, preg_match('//u', $cut));
        self::assertLessThan(16_500, strlen($cut));
    }

    public function testASentenceOfTheLauncherStandsForItselfAndAnErrorHasItsPlace(): void
    {
        self::assertSame('It does not boot.', ExceptionFormatter::sentence(new BootException('It does not boot.')));
        self::assertMatchesRegularExpression('~^RuntimeException: why \(.*LogFormatTest\.php:\d+\)$~', ExceptionFormatter::sentence(new \RuntimeException('why')));
    }

    public function testAFailureIsWrittenWithWhatItWasCausedBy(): void
    {
        $text = ExceptionFormatter::of(new \LogicException('outer', 0, new \DomainException('inner')));
        self::assertMatchesRegularExpression('~^LogicException: outer in .*because of DomainException: inner in ~s', $text);
    }

    public function testAStatus500LeavesAReasonOnce(): void
    {
        $failures = new FailureLog($logger = new RecordedLogger());
        $told = InMemoryRequest::get('/told', 'a test');
        $failures->write($told, 'the reason');
        $failures->demandReason($told);
        $failures->demandReason(InMemoryRequest::get('/silent', 'a test'));
        self::assertSame('error: GET /told: the reason', $logger->messages[0]);
        self::assertStringStartsWith('error: GET /silent: the application has responded with 500 itself', $logger->messages[1]);
        self::assertCount(2, $logger->messages);
    }
}
