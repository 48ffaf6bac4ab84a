<?php

declare(strict_types=1);

/* Streams of all kinds wait in coroutines, and give the same as PHP without the extension, byte for byte. */

namespace Stampede\Tests\E2e;

final class hooks_streams_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $folder = External::folder();
        External::certificate($folder);
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $arguments = static fn (bool $print, bool $inside, bool $flags): string => json_encode(['certificate' => "$folder/cert.pem", 'key' => "$folder/key.pem", 'print' => $print, 'inside' => $inside, 'flags' => $flags], JSON_THROW_ON_ERROR);
        $with = phpWithModule($module);
        $print = static function (array $php, string $given): string {
            $program = new Companion([...$php, '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_streams.php', $given]);
            $status = $program->waitForEnd(60.0);
            return $program->output() . "status $status";
        };
        $plain = $print([PHP_BINARY], $arguments(true, false, false));
        $this->check('PHP without the extension does it all', str_ends_with($plain, "}\nstatus 0"), $plain);
        $this->same('the same outside coroutines', $plain, $print($with, $arguments(true, false, false)));
        $this->same('the same in a coroutine with the flags off', $plain, $print($with, $arguments(true, true, false)));
        $this->same('the same in a coroutine with the flags on', $plain, $print($with, $arguments(true, true, true)));
        Companion::reportChecks($this, [...$with, '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_streams.php', $arguments(false, true, true)], 200.0);
        exec('rm -rf ' . escapeshellarg($folder));
    }
}
