<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Config\Configuration;
use Stampede\Config\Machine;
use Stampede\Config\OptionDefinition;
use Stampede\Config\OptionType;
use Stampede\Php\PhpSettings;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('config', 'shows the settings in force and where each comes from')]
final class ConfigCommand extends Command
{
    private const INI = ['memory_limit', 'opcache.enable_cli', 'opcache.jit', 'opcache.jit_buffer_size', 'opcache.validate_timestamps', 'display_errors', 'error_log', 'upload_max_filesize', 'post_max_size', 'session.save_path'];

    private const SECRET = ['dashboard-token', 'acme-external-account']; // whose values are shown to nobody

    protected function configure(): void
    {
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = Arguments::options($input);
        $table = (new Table($output))->setHeaders(['option', 'value', 'from', 'variable']);
        foreach (Configuration::table() as $option) {
            $value = $options->get($option->name);
            $table->addRow([$option->name, self::shown($option, $value), $options->source($option->name), $option->variable()]);
        }
        $table->render();
        $ini = (new Table($output))->setHeaders(['php.ini', 'value', 'from']);
        $php = PhpSettings::of($options);
        foreach (self::INI as $name) {
            $ini->addRow([$name, $php->value($name), $php->source($name)]);
        }
        $ini->render();
        return self::SUCCESS;
    }

    private static function shown(OptionDefinition $option, mixed $value): string
    {
        return match (true) {
            in_array($option->name, self::SECRET, true) && $value !== '' => '(set)',
            $option->type === OptionType::Workers && $value === 0 => 'auto, here ' . Machine::here()->workers(),
            is_array($value) => implode(', ', $value),
            default => (string) json_encode($value, JSON_UNESCAPED_SLASHES),
        };
    }
}
