<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** profile.proto of pprof, compressed: the numbers of its fields are those of the published schema. */
final class PprofEncoder
{
    private const SAMPLE_TYPE = 1;
    private const SAMPLE = 2;
    private const LOCATION = 4;
    private const FUNCTION = 5;
    private const STRINGS = 6;
    private const TIME = 9;
    private const DURATION = 10;
    private const PERIOD_TYPE = 11;
    private const PERIOD = 12;
    private const EVERY = 10_000_000; // nanoseconds between two looks at code that runs

    /** @var array<string, int> */
    private array $strings = ['' => 0];
    /** @var array<string, int> */
    private array $functions = [];
    private readonly ProtobufWriter $out;

    public function __construct(private readonly Profile $profile)
    {
        $this->out = new ProtobufWriter();
    }

    public function encode(): string
    {
        $isWall = $this->profile->mode === Mode::Wall;
        foreach ($isWall ? ['cpu', 'wall'] : ['cpu'] as $type) {
            $this->out->message(self::SAMPLE_TYPE, $this->valueType($type));
        }
        foreach ($this->profile->heaviest() as $stack) {
            $locations = array_map(static fn (int $number): int => $number + 1, array_reverse($stack->frames));
            $this->out->message(self::SAMPLE, (new ProtobufWriter())->numbers(1, $locations)->numbers(2, $isWall ? [$stack->cpu, $stack->wall] : [$stack->cpu]));
        }
        foreach ($this->profile->frames as $number => $frame) {
            $line = (new ProtobufWriter())->number(1, $this->functionOf($frame))->number(2, $frame->line);
            $this->out->message(self::LOCATION, (new ProtobufWriter())->number(1, $number + 1)->message(4, $line));
        }
        $this->out->message(self::PERIOD_TYPE, $this->valueType($isWall ? 'wall' : 'cpu'))->number(self::PERIOD, self::EVERY);
        $this->out->number(self::TIME, (int) ($this->profile->startedAt * 1e9))->number(self::DURATION, (int) ($this->profile->seconds * 1e9));
        foreach (array_keys($this->strings) as $string) {
            $this->out->bytes(self::STRINGS, (string) $string);
        }
        return (string) gzencode($this->out->written());
    }

    private function valueType(string $type): ProtobufWriter
    {
        return (new ProtobufWriter())->number(1, $this->string($type))->number(2, $this->string('nanoseconds'));
    }

    private function functionOf(Frame $frame): int
    {
        $key = "{$frame->name}\0{$frame->file}";
        if (!isset($this->functions[$key])) {
            $this->functions[$key] = count($this->functions) + 1;
            $name = $this->string($frame->name);
            $this->out->message(self::FUNCTION, (new ProtobufWriter())->number(1, $this->functions[$key])->number(2, $name)->number(3, $name)->number(4, $this->string($frame->file)));
        }
        return $this->functions[$key];
    }

    private function string(string $string): int
    {
        return $this->strings[$string] ??= count($this->strings);
    }
}
