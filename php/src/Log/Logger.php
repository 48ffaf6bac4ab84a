<?php

declare(strict_types=1);

namespace Stampede\Log;

/**
 * Messages of the server about itself and the application: the part of PSR-3 that is needed, without placeholders. Not that interface itself: this package
 * runs in the process of an application, which may have any version of psr/log.
 */
interface Logger
{
    /** @param array<string, mixed> $facts what an object of JSON has besides, such as request_id */
    public function error(string $message, array $facts = []): void;

    /** @param array<string, mixed> $facts the same */
    public function warning(string $message, array $facts = []): void;

    public function notice(string $message): void;

    public function info(string $message): void;

    public function debug(string $message): void;
}
