<?php

/** @generate-class-entries */

namespace Stampede\Database;

/** What mysqli knows of a connection and does not tell. */
final class MysqliLink
{
    /** The descriptor of its socket; -1 when there is none. */
    public static function descriptor(\mysqli $link): int {}

    /** Whether the server said last that a transaction is open; null when it cannot be known. */
    public static function isInside(\mysqli $link): ?bool {}
}
