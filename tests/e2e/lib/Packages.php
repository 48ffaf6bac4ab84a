<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Libraries from Composer that tests run unchanged, installed below build/ once. */
final class Packages
{
    /** The path of their autoloader. */
    public static function autoload(): string
    {
        return Installing::alone(self::install(...));
    }

    private static function install(): string
    {
        $root = dirname(__DIR__, 3);
        $work = "$root/build/e2e-packages";
        $file = json_decode((string) file_get_contents("$root/tests/e2e/packages/composer.json"), true, 16, JSON_THROW_ON_ERROR);
        $more = getenv('STAMPEDE_COMPOSER_REPOSITORY') ?: (is_file("$root/../shared/composer/packages.json") ? 'file://' . realpath("$root/../shared/composer") : '');
        if ($more !== '') {
            $file['repositories']['more'] = ['type' => 'composer', 'url' => $more];
        }
        $wanted = json_encode($file, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);
        @mkdir($work, 0755, true);
        if (!is_file("$work/vendor/autoload.php") || @file_get_contents("$work/composer.json") !== $wanted) {
            @unlink("$work/composer.lock");
            file_put_contents("$work/composer.json", $wanted);
            exec('COMPOSER_ALLOW_SUPERUSER=1 composer --working-dir=' . escapeshellarg($work) . ' update --no-interaction 2>&1', $output, $status);
            if ($status !== 0 || !is_file("$work/vendor/autoload.php")) {
                @unlink("$work/composer.json");
                throw new \RuntimeException("Composer could not install the packages of tests/e2e/packages:\n" . implode("\n", $output));
            }
        }
        return "$work/vendor/autoload.php";
    }
}
