<?php

declare(strict_types=1);

namespace Stampede\Tests\Supervisor;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Stampede\Exception\ConfigurationException;
use Stampede\Supervisor\CommandDefinition;
use Stampede\Supervisor\CommandEnd;
use Stampede\Supervisor\GenerationStatus;

/** Background commands as they are written down, why they are ended, and what commands are told of a generation. */
final class CommandDefinitionTest extends TestCase
{
    public function testACommandIsAListOfWordsOrAnObject(): void
    {
        [$queue, $report] = CommandDefinition::all(['queue' => ['php', 'queue.php'], 'report' => ['command' => ['report'], 'every' => '60', 'timeout' => 5]]);
        self::assertSame(['queue', ['php', 'queue.php'], 0.0, 0.0], [$queue->name, $queue->words, $queue->every, $queue->timeout]);
        self::assertSame([['report'], 60.0, 5.0], [$report->words, $report->every, $report->timeout]);
    }

    #[DataProvider('wrong')]
    public function testWhatIsNoCommandIsRefused(mixed $entry): void
    {
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage('The option "background": "it" must be a list of words');
        CommandDefinition::all(['it' => $entry]);
    }

    /** @return array<string, array{mixed}> */
    public static function wrong(): array
    {
        return ['text' => ['php'], 'nothing' => [[]], 'numbers' => [[1]], 'no command' => [['every' => 1]], 'an unknown key' => [['command' => ['a'], 'often' => 1]],
            'a negative time' => [['command' => ['a'], 'every' => -1]], 'no time' => [['command' => ['a'], 'timeout' => 'soon']]];
    }

    public function testTheStrongerReasonForAnEndStays(): void
    {
        self::assertSame(CommandEnd::Stop, CommandEnd::Restart->orStronger(CommandEnd::Stop));
        self::assertSame(CommandEnd::Stop, CommandEnd::Stop->orStronger(CommandEnd::Restart));
        self::assertSame([false, false, true, true], array_map(static fn (CommandEnd $end): bool => $end->isAskedFor(), CommandEnd::cases()));
    }

    public function testASentenceOfTheLauncherIsToldWithoutItsClass(): void
    {
        $facts = ['present' => 1, 'asked' => 2, 'settled' => 2, 'loading' => false, 'replacing' => false, 'boot_pid' => 0];
        $failure = GenerationStatus::of($facts + ['failure' => 'Stampede\Exception\BootException: It fails. in /srv/php/src/Runner/EntryLoader.php:12'])->failure;
        self::assertSame('It fails.', $failure);
        self::assertSame('Error: x in /srv/app.php:1', GenerationStatus::of($facts + ['failure' => 'Error: x in /srv/app.php:1'])->failure);
    }
}
