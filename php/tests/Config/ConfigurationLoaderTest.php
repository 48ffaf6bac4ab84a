<?php

declare(strict_types=1);

namespace Stampede\Tests\Config;

use PHPUnit\Framework\Attributes\DataProvider;
use Stampede\Config\Configuration;
use Stampede\Config\ConfigurationLoader;
use Stampede\Exception\ConfigurationException;
use Stampede\Tests\Application\TemporaryFolder;

/** Where the value of an option comes from, and which mistakes are refused with a sentence. */
final class ConfigurationLoaderTest extends TemporaryFolder
{
    public function testTheCommandLineComesBeforeTheEnvironmentBeforeTheFileBeforeTheDefault(): void
    {
        $this->write(['stampede.php' => "<?php return ['workers' => 2, 'max_requests' => 5, 'server-name' => 'file.test'];"]);
        $options = $this->load(['workers' => '4'], ['STAMPEDE_WORKERS' => '3', 'STAMPEDE_MAX_REQUESTS' => '7']);
        self::assertSame([4, 'command line'], [$options->number('workers'), $options->source('workers')]);
        self::assertSame([7, 'STAMPEDE_MAX_REQUESTS'], [$options->number('max-requests'), $options->source('max-requests')]);
        self::assertSame(['file.test', 'stampede.php'], [$options->text('server-name'), $options->source('server-name')]);
        self::assertSame([16, 'default'], [$options->number('processes'), $options->source('processes')]);
    }

    public function testArraysOfTheFileAreObjects(): void
    {
        $this->write(['stampede.php' => "<?php return ['server' => ['backlog' => 7], 'background' => ['queue' => ['php', 'queue.php']]];"]);
        $options = $this->load();
        self::assertSame(['backlog' => 7], $options->serverSettings());
        self::assertSame(['queue' => ['php', 'queue.php']], $options->background());
    }

    public function testAVariableOfAnotherProgramIsNoMistake(): void
    {
        self::assertSame('dev', $this->load([], ['STAMPEDE_PORT_80_TCP_ADDR' => '10.0.0.1'])->text('env'));
    }

    public function testEachWorkerHasAnAddressOfItsOwn(): void
    {
        $options = $this->load(['workers' => '3', 'worker-listen' => '127.0.0.1:9000']);
        self::assertSame([9000, 9001, 9002], array_column($options->addressesOfWorkers(), 'port'));
    }

    /**
     * @param array<string, mixed> $commandLine
     * @param array<string, string> $environment
     */
    #[DataProvider('mistakes')]
    public function testAMistakeIsOneSentence(string $sentence, array $commandLine, array $environment = [], string $file = ''): void
    {
        $this->write($file === '' ? [] : ['stampede.php' => $file]);
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage($sentence);
        $this->load($commandLine, $environment)->serverSettings();
    }

    /** @return array<string, array{0: string, 1: array<string, mixed>, 2?: array<string, string>, 3?: string}> */
    public static function mistakes(): array
    {
        return [
            'a misspelt variable' => ['(did you mean "STAMPEDE_WORKERS"?)', [], ['STAMPEDE_WORKER' => '1']],
            'an unknown key of the file' => ['has the unknown key "worker" (did you mean "workers"?)', [], [], "<?php return ['worker' => 1];"],
            'a file that returns nothing' => ['must return an array', [], [], '<?php'],
            'a file that fails' => ['cannot be used: Error: Call to undefined function', [], [], '<?php return no_such_function();'],
            'a file that is not there' => ['does not exist', ['config' => '/nowhere/stampede.php']],
            'no number' => ['The option "max-requests" must be a whole number from 0, not "many".', ['max-requests' => 'many']],
            'no such choice' => ['must be one of dev, prod, test, not "production" (did you mean "prod"?)', ['env' => 'production']],
            'a setting that is an option' => ['use the option "workers"', ['server' => '{"worker_num": 2}']],
            'a list in place of an object' => ['must be a JSON object', ['server' => '[1]']],
        ];
    }

    /**
     * @param array<string, mixed> $commandLine
     * @param array<string, string> $environment
     */
    private function load(array $commandLine = [], array $environment = []): Configuration
    {
        return ConfigurationLoader::load($commandLine, $environment, $this->folder);
    }
}
