<?php

declare(strict_types=1);

namespace Mcp;

use RuntimeException;

/** What JSON-RPC calls an error: a number that programs know, and a sentence. */
final class RpcError extends RuntimeException
{
    public const PARSE = -32700;
    public const INVALID_REQUEST = -32600;
    public const METHOD_NOT_FOUND = -32601;
    public const INVALID_PARAMS = -32602;
    public const INTERNAL = -32603;

    public function __construct(int $code, string $sentence)
    {
        parent::__construct($sentence, $code);
    }
}
