<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** One option: as --name, as STAMPEDE_NAME and as a key of stampede.php. */
final readonly class OptionDefinition
{
    /** @param list<string> $choices the only values there are; empty: any */
    public function __construct(
        public string $name,
        public OptionType $type,
        public mixed $default,
        public string $description,
        public array $choices = [],
    ) {}

    public function variable(): string
    {
        return 'STAMPEDE_' . strtoupper(strtr($this->name, '-', '_'));
    }

    /** @throws ConfigurationException */
    public function read(mixed $value): mixed
    {
        $read = $this->type->read($this->name, $value);
        if ($this->choices !== [] && !in_array($read, $this->choices, true)) {
            throw new ConfigurationException(sprintf(
                'The option "%s" must be one of %s, not "%s"%s.',
                $this->name,
                implode(', ', $this->choices),
                $read,
                Suggestion::for((string) $read, $this->choices),
            ));
        }
        return $read;
    }
}
