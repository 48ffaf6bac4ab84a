<?php

declare(strict_types=1);

namespace Stampede\Doctor;

use Composer\InstalledVersions;

/** The PHP that serves: its version, its build, its settings. */
final readonly class PhpCheck implements Check
{
    private const FIRST = 80200;
    private const BEYOND_LAST = 80700;
    private const NEEDED = ['pcntl_fork', 'pcntl_exec', 'proc_open', 'posix_kill', 'stream_socket_client'];

    /** @param list<string> $disabled functions that disable_functions names */
    public function __construct(private bool $isProduction, private int $version = PHP_VERSION_ID, private ?array $disabled = null) {}

    public function subject(): string
    {
        return 'php';
    }

    public function findings(): array
    {
        return array_values(array_filter([$this->version(), $this->build(), $this->functions(), $this->errors(), self::opcache()]));
    }

    private function version(): Finding
    {
        $text = 'PHP ' . PHP_VERSION . ' with Stampede ' . phpversion('stampede');
        if ($this->version < self::FIRST || $this->version >= self::BEYOND_LAST) {
            return Finding::problem($text, 'Stampede is made for PHP 8.2 to 8.6.');
        }
        $library = class_exists(InstalledVersions::class) && InstalledVersions::isInstalled('stampede/stampede') ? (string) InstalledVersions::getPrettyVersion('stampede/stampede') : '';
        $isOther = preg_match('/^v?(\d+\.\d+)/', $library, $part) === 1 && !str_starts_with((string) phpversion('stampede'), "{$part[1]}.");
        return $isOther ? Finding::advice("{$text}, beside version {$library} of its library", 'Install the same version of the extension and of the package stampede/stampede.') : Finding::good($text);
    }

    private function build(): Finding
    {
        return match (true) {
            PHP_ZTS === 1 => Finding::problem('this PHP is built for threads (ZTS)', 'Use the usual build (NTS): the extension does not load in the other one.'),
            PHP_DEBUG === 1 => Finding::advice('this PHP is a debug build', 'Measure and serve with a release build, which is several times as fast.'),
            default => Finding::good('a release build for processes (NTS), ' . php_uname('m')),
        };
    }

    private function functions(): ?Finding
    {
        $disabled = $this->disabled ?? array_map('trim', explode(',', (string) ini_get('disable_functions')));
        $missing = array_values(array_intersect(self::NEEDED, $disabled));
        return $missing === [] ? null : Finding::problem('disable_functions names ' . implode(', ', $missing), 'Take them out of disable_functions in ' . (php_ini_loaded_file() ?: 'php.ini') . ': the command serve needs them.');
    }

    private function errors(): ?Finding
    {
        $isShown = $this->isProduction && filter_var(ini_get('display_errors'), FILTER_VALIDATE_BOOL) && get_cfg_var('display_errors') !== false;
        return $isShown ? Finding::advice('php.ini says display_errors=On', 'Set display_errors=Off in ' . php_ini_loaded_file() . ': clients of a production server would see them.') : null;
    }

    private static function opcache(): Finding
    {
        if (!extension_loaded('Zend OPcache')) {
            return Finding::problem('OPcache is not loaded', 'Load it (zend_extension=opcache.so): without it each worker compiles the application for itself, and requests cost up to three times as much.');
        }
        $memory = (int) ini_get('opcache.memory_consumption');
        if ($memory < 64) {
            return Finding::advice("opcache.memory_consumption is {$memory} MB", 'Set opcache.memory_consumption=128 or more: what does not fit is compiled for every request.');
        }
        return Finding::good("OPcache has {$memory} MB" . (filter_var(ini_get('opcache.enable_cli'), FILTER_VALIDATE_BOOL) ? '' : '; serve --env=prod turns it on for the command line'));
    }
}
