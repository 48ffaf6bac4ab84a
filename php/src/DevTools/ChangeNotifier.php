<?php

declare(strict_types=1);

namespace Stampede\DevTools;

/** A way to learn of changes. */
interface ChangeNotifier
{
    /** From now on; what has changed before is not told. */
    public function begin(): void;

    public function end(): void;
}
