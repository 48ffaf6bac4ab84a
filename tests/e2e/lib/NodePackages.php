<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Packages from npm that tests run unchanged, installed below build/ once. */
final class NodePackages
{
    /** The folder whose node_modules has them. */
    public static function folder(): string
    {
        return Installing::alone(self::install(...));
    }

    private static function install(): string
    {
        $root = dirname(__DIR__, 3);
        $work = "$root/build/node-packages";
        $wanted = (string) file_get_contents("$root/tests/e2e/packages/package.json");
        @mkdir($work, 0755, true);
        if (!is_dir("$work/node_modules") || @file_get_contents("$work/package.json") !== $wanted) {
            file_put_contents("$work/package.json", $wanted);
            exec('cd ' . escapeshellarg($work) . ' && npm install --no-audit --no-fund --ignore-scripts 2>&1', $output, $status);
            if ($status !== 0) {
                @unlink("$work/package.json");
                throw new \RuntimeException("npm could not install the packages of tests/e2e/packages:\n" . implode("\n", $output));
            }
        }
        return $work;
    }
}
