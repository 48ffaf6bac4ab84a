<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\TestCase;
use Stampede\Application\ApplicationType;
use Stampede\Application\IsolationMode;

/** The table of docs/user/applications.md says what the table of applications says. */
final class ApplicationsPageTest extends TestCase
{
    public function testEveryTypeHasItsRow(): void
    {
        $page = (string) file_get_contents(dirname(__DIR__, 3) . '/docs/user/applications.md');
        foreach (ApplicationType::cases() as $type) {
            self::assertStringContainsString(self::row($type), $page);
        }
    }

    public static function row(ApplicationType $type): string
    {
        $profile = $type->profile();
        $packages = array_map(static fn (array $all): string => implode(' and ', array_map(static fn (string $name): string => "`{$name}`", $all)), $profile->packages);
        $files = array_map(static fn (array $all): string => implode(' and ', array_map(static fn (string $mark): string => '`' . explode(':', $mark)[0] . '`', $all)), $profile->files);
        $marks = implode(', or ', [...$packages, ...$files]);
        $entries = implode(', ', array_map(static fn (string $entry): string => "`{$entry}`", $profile->entries));
        return "| {$profile->title} | " . ($marks === '' ? 'its entry' : $marks) . " | {$entries} | `" . IsolationMode::of($profile->kind)->value . '` |';
    }
}
