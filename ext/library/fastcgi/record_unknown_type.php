<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** The response to a record whose type the application does not know. */
class UnknownType extends Record
{
    protected int $type1 = 0;

    protected string $reserved1 = '';

    public function __construct(int $type, string $reserved = '')
    {
        $this->type = FastCGI::UNKNOWN_TYPE;
        $this->type1 = $type;
        $this->reserved1 = $reserved;
        $this->setContentData($this->packPayload());
    }

    public function getUnrecognizedType(): int
    {
        return $this->type1;
    }

    public static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $fields = strlen($binaryData) < 8 ? false : unpack('Ctype/a7reserved', $binaryData);
        if ($fields !== false) {
            $self->type1 = $fields['type'];
            $self->reserved1 = $fields['reserved'];
        }
    }

    protected function packPayload(): string
    {
        return pack('Ca7', $this->type1, $this->reserved1);
    }
}
