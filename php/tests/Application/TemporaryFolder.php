<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\TestCase;

/** A test with a folder of its own. */
abstract class TemporaryFolder extends TestCase
{
    protected string $folder;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/stampede-application-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    /** @param array<int|string, string> $files contents by name, or names alone */
    protected function write(array $files): void
    {
        foreach ($files as $name => $content) {
            [$name, $content] = is_int($name) ? [$content, ''] : [$name, $content];
            $file = "{$this->folder}/{$name}";
            is_dir(dirname($file)) || mkdir(dirname($file), 0755, true);
            file_put_contents($file, $content);
        }
    }
}
