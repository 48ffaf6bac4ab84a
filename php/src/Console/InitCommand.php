<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Config\Configuration;
use Stampede\Exception\ConfigurationException;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('init', 'writes a commented stampede.php')]
final class InitCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('dir', InputArgument::OPTIONAL, 'the folder of the application', '.');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $path = rtrim((string) $input->getArgument('dir'), '/') . '/stampede.php';
        $lines = '';
        foreach (Configuration::table() as $option) {
            $choices = $option->choices === [] ? '' : ' (' . implode(', ', $option->choices) . ')';
            $lines .= "    // {$option->description}{$choices}\n    // '{$option->name}' => " . var_export(is_array($option->default) ? implode(',', $option->default) : $option->default, true) . ",\n";
        }
        $file = @fopen($path, 'x');
        if ($file === false) {
            throw new ConfigurationException(is_file($path) ? "{$path} is there already." : "{$path} cannot be written.");
        }
        fwrite($file, "<?php\n\n// Options of the command stampede for this application; the command line and STAMPEDE_* variables come before them.\nreturn [\n{$lines}];\n");
        $output->writeln("{$path} is written.");
        return self::SUCCESS;
    }
}
