<?php

declare(strict_types=1);

namespace Stampede\Doctor;

/** How much a finding matters. */
enum Verdict: string
{
    case Good = 'good';
    case Advice = 'advice'; // it works, and could be better
    case Problem = 'problem'; // it does not work, or not for long
}
