<?php

declare(strict_types=1);

namespace Stampede\Php;

/** Finds the extension when PHP was started without it, and starts PHP again with it. */
final class ExtensionLoader
{
    private const MARK = 'STAMPEDE_STARTED_AGAIN';
    private const OTHERS = ['ctype', 'pcntl', 'posix', 'tokenizer'];

    /** @var list<string>|null */
    private static ?array $settings = null;

    /** @param list<string> $arguments of the command line, the script first */
    public static function require(array $arguments): void
    {
        $missing = array_filter(self::OTHERS, static fn (string $name): bool => !extension_loaded($name));
        if ($missing !== []) {
            fwrite(STDERR, 'The command stampede needs the PHP extension' . (count($missing) > 1 ? 's ' : ' ') . implode(', ', $missing) . ": install the package, or load the extension in php.ini.\n");
            exit(1);
        }
        if (extension_loaded('stampede')) {
            putenv(self::MARK);
            return;
        }
        $file = self::find();
        if ($file === null || getenv(self::MARK) !== false) {
            fwrite(STDERR, $file !== null
                ? "PHP cannot load {$file}: start it with  php -d extension={$file} " . implode(' ', $arguments) . "\n"
                : "The extension stampede is not loaded and was not found: build it with \"make build\", then put extension=stampede into php.ini.\n");
            exit(1);
        }
        putenv(self::MARK . '=1');
        pcntl_exec(PHP_BINARY, [...self::settings(), '-d', "extension={$file}", ...$arguments]);
        fwrite(STDERR, 'PHP cannot be started again: ' . pcntl_strerror(pcntl_get_last_error()) . "\n");
        exit(1);
    }

    /**
     * The settings that this process was started with, for another one, which may work in another folder. Read once: a process of the server may have
     * another title later, which takes the place of its command line.
     *
     * @return list<string>
     */
    public static function settings(): array
    {
        return self::$settings ??= self::readSettings();
    }

    /** @return list<string> */
    private static function readSettings(): array
    {
        $given = explode("\0", (string) @file_get_contents('/proc/self/cmdline'));
        $settings = [];
        for ($i = 1; $i < count($given) && str_starts_with($given[$i], '-'); $i++) {
            $settings[] = self::withRealPath('', $given[$i]);
            if (in_array($given[$i], ['-d', '-c'], true)) {
                $settings[] = self::withRealPath($given[$i], $given[++$i] ?? '');
            }
        }
        return array_values(array_diff($settings, ['-f', '--']));
    }

    /** PHP looks for an extension whose name has no slash in extension_dir. */
    private static function withRealPath(string $option, string $value): string
    {
        if (preg_match('~^(-c|-d(?:zend_)?extension=(?=.*/))(.+)$~s', $option . $value, $parts) !== 1) {
            return $value;
        }
        return substr($parts[1], strlen($option)) . (realpath($parts[2]) ?: $parts[2]);
    }

    private static function find(): ?string
    {
        $places = [
            (string) getenv('STAMPEDE_EXTENSION'),
            dirname(__DIR__, 3) . '/modules/stampede.so',
            ini_get('extension_dir') . '/stampede.so',
        ];
        foreach ($places as $place) {
            if ($place !== '' && is_file($place)) {
                return (string) realpath($place);
            }
        }
        return null;
    }
}
