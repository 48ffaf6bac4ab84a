<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

use PHPUnit\Event\Application\Finished;
use PHPUnit\Event\Code\Test;
use PHPUnit\Event\Code\TestMethod;
use PHPUnit\Event\Code\Throwable;
use PHPUnit\Event\Event;
use PHPUnit\Event\Test as Events;
use PHPUnit\Event\TestRunner;
use PHPUnit\Event\Tracer\Tracer;
use PHPUnit\Runner\Extension\Extension;
use PHPUnit\Runner\Extension\Facade;
use PHPUnit\Runner\Extension\ParameterCollection;
use PHPUnit\TextUI\Configuration\Configuration;

/** What PHPUnit prints in tests/e2e/run: the sections, what ended one early, and the sum of all checks. */
final class Summary implements Extension, Tracer
{
    public function bootstrap(Configuration $configuration, Facade $facade, ParameterCollection $parameters): void
    {
        $facade->registerTracer($this);
    }

    public function trace(Event $event): void
    {
        match (true) {
            $event instanceof Events\PreparationStarted => EndToEndTest::report()->say('# ' . self::name($event->test())),
            $event instanceof Events\Errored => self::ended(self::name($event->test()), $event->throwable()),
            $event instanceof Events\Failed => $event->throwable()->className() === ChecksFailed::class ?: self::ended(self::name($event->test()), $event->throwable()),
            $event instanceof Events\BeforeFirstTestMethodErrored => self::ended('what the tests share', $event->throwable()),
            $event instanceof Events\AfterLastTestMethodErrored => self::ended('the end of what the tests share', $event->throwable()),
            $event instanceof Events\Skipped => EndToEndTest::report()->check(self::name($event->test()) . ' runs', false, $event->message()),
            $event instanceof Events\PrintedUnexpectedOutput => EndToEndTest::report()->remark(rtrim($event->output())),
            $event instanceof Events\PhpunitErrorTriggered,
            $event instanceof Events\PhpunitWarningTriggered,
            $event instanceof TestRunner\WarningTriggered => EndToEndTest::report()->check('PHPUnit has nothing to say', false, $event->message()),
            $event instanceof Finished => EndToEndTest::report()->say(EndToEndTest::report()->total()),
            default => null,
        };
    }

    private static function name(Test $test): string
    {
        return $test instanceof TestMethod ? explode('::', $test->nameWithClass(), 2)[1] : $test->name();
    }

    private static function ended(string $name, Throwable $throwable): void
    {
        EndToEndTest::report()->check("$name came to its end", false, rtrim($throwable->asString()));
    }
}
