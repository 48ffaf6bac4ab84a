<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Swoole\Http\Request;

/** A request as it is sent to a forked process, where ForkedRequest::unpack() makes one of it again. */
final class ForkedMessage
{
    public const START = 24; // bytes: the number, and how long both parts are

    private const SMALL = 16384; // a body that is worth copying to save a system call; a message that the connection has room for beside others

    private readonly string $facts;

    public function __construct(Request $request, private readonly string $body)
    {
        $this->facts = serialize(ForkedRequest::pack($request));
    }

    /** Whether it can be sent after other ones that nothing reads yet. */
    public function isSmall(): bool
    {
        return strlen($this->facts) + strlen($this->body) <= self::SMALL;
    }

    /** @param int $number of Claim::offer(), when it is sent to a process that is not ready for it; else 0 */
    public function head(int $number): string
    {
        return pack('J3', $number, strlen($this->facts), strlen($this->body)) . $this->facts . (strlen($this->body) <= self::SMALL ? $this->body : '');
    }

    /** What comes after the head. */
    public function rest(): string
    {
        return strlen($this->body) <= self::SMALL ? '' : $this->body;
    }
}
