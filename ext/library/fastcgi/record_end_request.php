<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Ends a request. */
class EndRequest extends Record
{
    protected int $appStatus = 0;

    protected int $protocolStatus = FastCGI::REQUEST_COMPLETE;

    protected string $reserved1 = '';

    public function __construct(int $protocolStatus = FastCGI::REQUEST_COMPLETE, int $appStatus = 0, string $reserved = '')
    {
        $this->type = FastCGI::END_REQUEST;
        $this->protocolStatus = $protocolStatus;
        $this->appStatus = $appStatus;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getAppStatus(): int
    {
        return $this->appStatus;
    }

    public function getProtocolStatus(): int
    {
        return $this->protocolStatus;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Napp/Cprotocol/a3reserved', $binaryData);
        if ($fields !== false) {
            $self->appStatus = $fields['app'];
            $self->protocolStatus = $fields['protocol'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('NCa3', $this->appStatus, $this->protocolStatus, $this->reserved1);
    }
}
