<?php

declare(strict_types=1);

namespace Stampede\Doctor;

/** One thing that was looked at. */
final readonly class Finding
{
    /** @param string $advice what to change; empty where all is well */
    private function __construct(public Verdict $verdict, public string $text, public string $advice = '') {}

    public static function good(string $text): self
    {
        return new self(Verdict::Good, $text);
    }

    public static function advice(string $text, string $advice): self
    {
        return new self(Verdict::Advice, $text, $advice);
    }

    public static function problem(string $text, string $advice): self
    {
        return new self(Verdict::Problem, $text, $advice);
    }
}
