<?php

declare(strict_types=1);

namespace Stampede\Process;

use Swoole\Http\Request;

/** A request as it is sent to a forked process, where ChildRequest::unpack() makes one of it again. */
final class RequestMessage
{
    public const START = 16; // bytes: how long both parts are

    private const SMALL = 16384; // of a body: worth copying to save a system call

    private readonly string $facts;

    public function __construct(Request $request, private readonly string $body)
    {
        $this->facts = serialize(ChildRequest::pack($request));
    }

    public function head(): string
    {
        return pack('J2', strlen($this->facts), strlen($this->body)) . $this->facts . (strlen($this->body) <= self::SMALL ? $this->body : '');
    }

    /** What comes after the head. */
    public function rest(): string
    {
        return strlen($this->body) <= self::SMALL ? '' : $this->body;
    }
}
