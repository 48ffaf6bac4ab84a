<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Begins a request: what the application shall do, and whether the connection stays. */
class BeginRequest extends Record
{
    protected int $role = FastCGI::UNKNOWN_ROLE;

    protected int $flags = 0;

    protected string $reserved1 = '';

    public function __construct(int $role = FastCGI::UNKNOWN_ROLE, int $flags = 0, string $reserved = '')
    {
        $this->type = FastCGI::BEGIN_REQUEST;
        $this->role = $role;
        $this->flags = $flags;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getRole(): int
    {
        return $this->role;
    }

    public function getFlags(): int
    {
        return $this->flags;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('nrole/Cflags/a5reserved', $binaryData);
        if ($fields !== false) {
            $self->role = $fields['role'];
            $self->flags = $fields['flags'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('nCa5', $this->role, $this->flags, $this->reserved1);
    }
}
