<?php

declare(strict_types=1);

namespace Stampede\Doctor;

use Stampede\Application\Project;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Config\Machine;
use Stampede\Exception\LaunchException;
use Stampede\Supervisor\ServerStateFile;

/** All checks for a server with these options. */
final readonly class Examination
{
    /** @param list<Check> $checks */
    private function __construct(private array $checks) {}

    /** @throws LaunchException for options that cannot be used */
    public static function of(string $directory, Configuration $options): self
    {
        try {
            $project = Project::find($directory, $options);
        } catch (LaunchException) { // the machine can be looked at before there is an application
            $project = null;
        }
        return new self([
            new PhpCheck($options->text('env') === 'prod'),
            new ExtensionCheck(),
            new LimitsCheck(Machine::here()),
            new KernelCheck($options->is('watch')),
            new RightsCheck($project, $options->text('user')),
            new AddressCheck(array_map(ListenAddress::parse(...), $options->list('listen')), $project !== null && ServerStateFile::find($project->directory, $options) !== null),
        ]);
    }

    /** @return array<string, list<Finding>> by the subject */
    public function findings(): array
    {
        $findings = [];
        foreach ($this->checks as $check) {
            $findings[$check->subject()] = $check->findings();
        }
        return $findings;
    }
}
