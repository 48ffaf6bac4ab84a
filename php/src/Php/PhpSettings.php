<?php

declare(strict_types=1);

namespace Stampede\Php;

use Stampede\Config\Configuration;
use Stampede\Config\LogFormat;
use Stampede\Exception\ConfigurationException;

/**
 * Settings of php.ini for the process that serves: whose file counts, and what is set besides. In this order: options -d of the command php, the
 * section "ini" of stampede.php, php.ini, and what a server needs that none of them mentions.
 */
final readonly class PhpSettings
{
    private const MEMORY_LIMIT = '128M'; // as PHP has it without a php.ini
    private const BUILT_IN = ['memory_limit' => self::MEMORY_LIMIT, 'upload_max_filesize' => '2M', 'post_max_size' => '8M'];
    private const GIVEN = 'command line';

    /**
     * @param string $file php.ini; empty: none
     * @param array<string, array{string, string}> $values with where each comes from
     * @param list<string> $arguments options of the command php for what it would not set itself
     */
    private function __construct(private string $file, private array $values, public array $arguments) {}

    /**
     * @param bool $isForScripts whether requests run in PHP's own request life, with the php.ini of PHP's web server where there is one
     * @throws ConfigurationException when the php.ini that was named cannot be read
     */
    public static function of(Configuration $options, bool $isForScripts = false): self
    {
        $named = $options->text('php-ini');
        if ($named !== '' && (!is_file($named) || !is_readable($named))) {
            throw new ConfigurationException("The option \"php-ini\" names {$named}, which " . (file_exists($named) ? 'cannot be read as a file.' : 'does not exist.'));
        }
        $file = $named !== '' ? (string) realpath($named) : (string) ($isForScripts ? WebSettings::file() : php_ini_loaded_file());
        $known = self::read($file, 'php.ini');
        foreach (array_filter(array_map('trim', explode(',', (string) php_ini_scanned_files()))) as $scanned) {
            $known = self::read($scanned, $scanned) + $known;
        }
        $wanted = self::wanted($options->text('env') === 'prod', $known + self::onCommandLine(), $named === '');
        $messages = ['stampede.log_messages' => [LogFormat::of($options) === LogFormat::Json ? 'json' : 'text', 'log-format'], 'stampede.log_level' => [$options->text('log-level'), 'log-level']];
        $wanted = $messages + self::section($options) + $wanted; // the first one is where those of requests begin: see ofCommands()
        $wanted = array_diff_key($wanted, self::onCommandLine());
        $arguments = $named === '' ? [] : ['-c', $file];
        foreach ($wanted as $name => [$value]) {
            array_push($arguments, '-d', "{$name}={$value}");
        }
        return new self($file, self::onCommandLine() + $wanted + $known, $arguments);
    }

    /**
     * For commands that run beside the requests: memory is limited as on PHP's command line.
     *
     * @return list<string> options of the command php
     */
    public static function ofCommands(): array
    {
        $settings = ExtensionLoader::settings();
        $isOfRequests = false;
        foreach ($settings as $i => $argument) {
            $isOfRequests = $isOfRequests || str_starts_with($argument, 'stampede.log_messages=');
            if ($isOfRequests && str_starts_with($argument, 'memory_limit=')) {
                unset($settings[$i - 1], $settings[$i]);
            }
        }
        return array_values($settings);
    }

    public function value(string $name): string
    {
        return $this->values[$name][0] ?? self::BUILT_IN[$name] ?? (ini_get($name) === false ? '(not there)' : ini_get($name));
    }

    public function source(string $name): string
    {
        $source = $this->values[$name][1] ?? 'default';
        return $source === 'php.ini' ? $this->file : $source;
    }

    public function sentence(): string
    {
        $file = $this->file === '' ? 'No php.ini is read' : "PHP's settings are those of {$this->file}";
        $limit = $this->value('memory_limit');
        return "{$file}: memory_limit {$limit}" . (in_array($this->source('memory_limit'), [$this->file, 'default'], true) ? '' : " ({$this->source('memory_limit')})") . ", upload_max_filesize {$this->value('upload_max_filesize')}.";
    }

    /**
     * @param array<string, array{string, string}> $known
     * @param bool $isOfCommands whether php.ini is that of PHP's command line, where memory has no limit
     * @return array<string, array{string, string}>
     */
    private static function wanted(bool $isProduction, array $known, bool $isOfCommands): array
    {
        $wanted = [];
        foreach ($isProduction ? OpcacheSettings::wanted() : [] as $name => $value) {
            $wanted[$name] = [$value, 'serve --env=prod'];
        }
        if ($isProduction && !isset($known['display_errors'])) {
            $wanted['display_errors'] = ['0', 'serve --env=prod']; // the command line of PHP shows them
        }
        if (extension_loaded('apcu') && !isset($known['apc.enable_cli'])) {
            $wanted['apc.enable_cli'] = ['1', 'serve']; // its memory is shared by the workers
        }
        $limit = $known['memory_limit'][0] ?? self::MEMORY_LIMIT;
        if ($isOfCommands && ($known['memory_limit'][1] ?? '') === 'php.ini' && trim($limit) === '-1') {
            $wanted['memory_limit'] = self::limitOfFpm();
        }
        return $wanted;
    }

    /** @return array{string, string} */
    private static function limitOfFpm(): array
    {
        $file = dirname((string) php_ini_loaded_file(), 2) . '/fpm/php.ini';
        return self::read($file, $file)['memory_limit'] ?? [self::MEMORY_LIMIT, 'default of web servers'];
    }

    /** @return array<string, array{string, string}> */
    private static function section(Configuration $options): array
    {
        $section = [];
        foreach ($options->ini() as $name => $value) {
            if (!is_scalar($value) || preg_match('/^[a-z_][\w.]*$/i', $name) !== 1 || in_array($name, ['extension', 'zend_extension'], true)) {
                throw new ConfigurationException("The option \"ini\" has \"{$name}\", which is no setting of php.ini with one value.");
            }
            $section[$name] = [is_bool($value) ? (string) (int) $value : (string) $value, $options->source('ini')];
        }
        return $section;
    }

    /** @return array<string, array{string, string}> what options -d have set */
    private static function onCommandLine(): array
    {
        $given = [];
        foreach (ExtensionLoader::settings() as $argument) {
            if (preg_match('/^(?:-d)?([\w.]+)=(.*)$/s', $argument, $part) === 1) {
                $given[$part[1]] = [trim($part[2], '"'), self::GIVEN];
            }
        }
        return $given;
    }

    /** @return array<string, array{string, string}> */
    private static function read(string $file, string $source): array
    {
        $read = $file === '' || !is_file($file) ? [] : @parse_ini_file($file, false, INI_SCANNER_RAW);
        $texts = array_filter($read ?: [], is_string(...));
        return array_map(static fn (string $value): array => [$value, $source], $texts);
    }
}
