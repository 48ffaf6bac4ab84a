<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Config\Configuration;
use Stampede\Config\OptionDefinition;
use Stampede\Config\OptionType;
use Symfony\Component\Console\Command\Command;

/** The help of a command on one screen: what it does, examples, and the options that most people need. */
final class CommandHelp
{
    private const WIDTH = 78;
    private const EXAMPLE = 36;
    private const NAMES = 26; // columns for the names of options
    private const OF_RUNNING = ['pid-file']; // commands that look for a running server

    private const EXAMPLES = [
        'serve' => [
            'serve' => 'this folder, on http://127.0.0.1:8000',
            'serve /srv/shop --watch' => 'reload when a file changes',
            'serve --env=prod --listen=0.0.0.0:80 --user=shop' => 'in production',
            'serve --env=prod --listen=https://0.0.0.0:443 --acme=www.example.com' => 'with a certificate of Let\'s Encrypt',
        ],
        'status' => ['status' => 'is this folder served, and by which processes', 'status /srv/shop --format=json' => 'for programs'],
        'profile' => [
            'profile 10' => 'ten seconds of all workers, on one screen',
            'profile 30 --mode=cpu --workers=1' => 'what computes in one of them',
            'profile 30 --format=speedscope --output=shop.json' => 'for https://www.speedscope.app, which shows it in the browser',
            'profile 30 --format=pprof --output=shop.pb.gz' => 'for go tool pprof',
        ],
        'memory' => [
            'memory' => 'what a worker holds: classes, and the largest collections',
            'memory --for=60' => 'what grew within a minute',
            'memory --requests=1000 --workers=4' => 'what a thousand requests left behind, in each of four workers',
        ],
        'leaks' => [
            'leaks' => 'what requests leave behind, by route, in one worker for 30 seconds',
            'leaks --for=300 --format=json' => 'for longer, and for programs',
        ],
        'reload' => ['reload' => 'after a deploy: new code, no request lost'],
        'scale' => ['scale 8' => 'eight workers, when the server was started with as many'],
        'stop' => ['stop' => 'finish the requests under way, then end'],
        'config' => ['config' => 'every option with its value and where that comes from', 'config --env=prod' => 'as it would be in production'],
        'init' => ['init' => 'write stampede.php into this folder'],
        'nginx' => ['nginx --server-name=www.example.com > /etc/nginx/sites-enabled/shop.conf' => ''],
        'check' => ['check' => 'which isolation fits this application', 'check --path=/ --path=/login' => 'by these pages'],
        'doctor' => ['doctor' => 'what of this machine should be changed', 'doctor --env=prod --listen=0.0.0.0:80' => 'for a server that is to be started so'],
    ];

    private const OPTIONS = [
        'serve' => ['listen', 'workers', 'env', 'watch', 'isolation', 'document-root', 'user', 'request-timeout', 'max-body', 'log-format', 'health-listen', 'acme', 'trusted-proxies', 'config'],
        'nginx' => ['server-name', 'listen', 'document-root'],
        'check' => ['path', 'env', 'format'],
        'doctor' => ['env', 'listen', 'user', 'format'],
        'status' => ['format', ...self::OF_RUNNING],
        'profile' => ['mode', 'format', 'output', 'workers', ...self::OF_RUNNING],
        'memory' => ['for', 'requests', 'pause', 'format', 'workers', ...self::OF_RUNNING],
        'leaks' => ['for', 'pause', 'format', 'workers', ...self::OF_RUNNING],
        'config' => ['env', 'config'],
        'reload' => self::OF_RUNNING,
        'scale' => self::OF_RUNNING,
        'stop' => self::OF_RUNNING,
        'init' => [],
    ];

    /** Where an option says something else than it does for "serve". */
    private const OTHER_MEANINGS = [
        'profile' => ['workers' => 'so many workers are looked at (default: all)'],
        'memory' => ['workers' => 'so many workers are looked at [1]'],
        'leaks' => ['workers' => 'so many workers are measured, and slower meanwhile [1]'],
    ];

    /** @return array<string, string> what to type after "stampede", and what that does */
    public static function examples(string $command): array
    {
        return self::EXAMPLES[$command] ?? [];
    }

    /** Empty: the console's own help is all there is. */
    public static function of(Command $command): string
    {
        $name = (string) $command->getName();
        if (!isset(self::EXAMPLES[$name])) {
            return '';
        }
        $text = self::wrapped(ucfirst($command->getDescription()) . '.', '') . "\n\nUsage: stampede " . $command->getSynopsis(true) . "\n\nExamples:\n";
        foreach (self::EXAMPLES[$name] as $example => $meaning) {
            $line = "  stampede {$example}";
            $beside = str_pad($line, self::EXAMPLE) . " # {$meaning}";
            $text .= $meaning === '' ? "{$line}\n" : (strlen($beside) <= self::WIDTH ? "{$beside}\n" : "  # {$meaning}\n{$line}\n");
        }
        $text .= self::options($command, self::OPTIONS[$name]);
        $more = count($command->getDefinition()->getOptions()) - count(self::OPTIONS[$name]);
        return $more < 2 ? rtrim($text) : "{$text}\nFurther options: stampede {$name} --help --verbose";
    }

    /** @param list<string> $names */
    private static function options(Command $command, array $names): string
    {
        $text = $names === [] ? '' : "\nOptions:\n";
        foreach ($names as $name) {
            $option = $command->getDefinition()->getOption($name);
            $shown = "  --{$name}" . ($option->acceptValue() ? '=' . self::placeholder($name) : '');
            $meaning = self::OTHER_MEANINGS[(string) $command->getName()][$name] ?? self::first($option->getDescription()) . self::default($name);
            $meaning = self::wrapped($meaning, str_repeat(' ', self::NAMES));
            $text .= strlen($shown) < self::NAMES ? str_pad($shown, self::NAMES) . ltrim($meaning) . "\n" : "{$shown}\n{$meaning}\n";
        }
        return $text;
    }

    /** What stands for the value of an option. */
    public static function placeholder(string $name): string
    {
        return match (self::definition($name)?->type) {
            OptionType::Addresses => 'ADDRESS',
            OptionType::Path => 'PATH',
            OptionType::Number, OptionType::Workers, OptionType::Processes => 'N',
            OptionType::Seconds, OptionType::Patience => 'SECONDS',
            OptionType::Size => 'SIZE',
            default => match ($name) {
                'format' => 'FORMAT',
                'mode' => 'cpu|wall',
                'output' => 'FILE',
                'for' => 'SECONDS',
                'pause' => 'MILLISECONDS',
                'requests' => 'N',
                'config' => 'FILE',
                'user' => 'NAME',
                'health-listen' => 'ADDRESS',
                'acme' => 'NAMES',
                'path' => 'PATH',
                'env' => 'ENV',
                default => 'VALUE',
            },
        };
    }

    private static function definition(string $name): ?OptionDefinition
    {
        foreach (Configuration::table() as $option) {
            if ($option->name === $name) {
                return $option;
            }
        }
        return null;
    }

    private static function default(string $name): string
    {
        $default = self::definition($name)?->default;
        $default = is_array($default) ? implode(', ', $default) : $default;
        if ($default === null || in_array($default, ['', false, 0], true)) {
            return '';
        }
        $isSize = self::definition($name)?->type === OptionType::Size && is_int($default);
        return ' [' . ($isSize ? ($default >> 20) . 'M' : (string) $default) . ']';
    }

    /** The first part of a longer description. */
    private static function first(string $description): string
    {
        return (string) preg_replace('/^(.{20,}?)(;| \(default:|\. ).*$/s', '$1', $description);
    }

    private static function wrapped(string $text, string $indentation): string
    {
        return $indentation . wordwrap($text, self::WIDTH - strlen($indentation), "\n{$indentation}");
    }
}
