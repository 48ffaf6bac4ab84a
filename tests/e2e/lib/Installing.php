<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** What programs of the tests install below build/, where several may run at a time. */
final class Installing
{
    /**
     * Calls the function while no other program installs anything.
     *
     * @template T
     * @param \Closure(): T $install
     * @return T
     */
    public static function alone(\Closure $install): mixed
    {
        $folder = dirname(__DIR__, 3) . '/build';
        @mkdir($folder);
        $lock = fopen("{$folder}/installing.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            throw new \RuntimeException('build/installing.lock cannot be locked.');
        }
        try {
            return $install();
        } finally {
            fclose($lock);
        }
    }
}
