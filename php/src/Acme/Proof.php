<?php

declare(strict_types=1);

namespace Stampede\Acme;

/** A way to show the authority that a name leads to this server. */
interface Proof
{
    /** As RFC 8555 and its successors call it. */
    public function type(): string;

    /** From now on all workers show it. @throws AcmeException */
    public function show(string $name, string $token, string $text): void;

    public function hide(string $name, string $token): void;
}
