<?php

namespace App;

/** Something that a request leaves in the container, whose end is not quiet. */
final class Destructs
{
    public function __construct(private readonly string $how) {}

    public function __destruct()
    {
        match ($this->how) {
            'throw' => throw new \RuntimeException('from a destructor'),
            'exit' => exit,
            'sleep' => sleep(20),
            'loop' => (static function (): never {
                while (true);
            })(),
        };
    }
}
