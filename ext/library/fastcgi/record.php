<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;
use Stringable;
use Swoole\FastCGI;

/** One record of the protocol: a header and up to 65535 bytes of content. */
class Record implements Stringable
{
    protected int $version = FastCGI::VERSION_1;

    protected int $type = FastCGI::UNKNOWN_TYPE;

    protected int $requestId = FastCGI::DEFAULT_REQUEST_ID;

    protected int $reserved = 0;

    private string $contentData = '';

    /** The record as bytes, filled up to a multiple of eight. */
    final public function __toString(): string
    {
        $content = $this->packPayload();
        $padding = -strlen($content) & 7;
        $header = pack('CCnnCC', $this->version, $this->type, $this->requestId, strlen($content), $padding, $this->reserved);
        return $header . $content . str_repeat("\0", $padding);
    }

    /** The record of these bytes. */
    final public static function unpack(string $binaryData): static
    {
        $header = strlen($binaryData) < FastCGI::HEADER_LEN ? false : unpack(FastCGI::HEADER_FORMAT, $binaryData);
        if ($header === false || strlen($binaryData) < FastCGI::HEADER_LEN + $header['contentLength']) {
            throw new InvalidArgumentException('The bytes are no whole FastCGI record.');
        }
        $self = (new \ReflectionClass(static::class))->newInstanceWithoutConstructor();
        $self->version = $header['version'];
        $self->type = $header['type'];
        $self->requestId = $header['requestId'];
        $self->reserved = $header['reserved'];
        $content = substr($binaryData, FastCGI::HEADER_LEN, $header['contentLength']);
        $self->setContentData($content);
        static::unpackPayload($self, $content);
        return $self;
    }

    /** @return static */
    public function setContentData(string $data): self
    {
        if (strlen($data) > FastCGI::MAX_CONTENT_LENGTH) {
            throw new InvalidArgumentException('A FastCGI record holds at most ' . FastCGI::MAX_CONTENT_LENGTH . ' bytes.');
        }
        $this->contentData = $data;
        return $this;
    }

    public function getContentData(): string
    {
        return $this->contentData;
    }

    public function getVersion(): int
    {
        return $this->version;
    }

    public function getType(): int
    {
        return $this->type;
    }

    public function getRequestId(): int
    {
        return $this->requestId;
    }

    /** @return static */
    public function setRequestId(int $requestId): self
    {
        $this->requestId = $requestId;
        return $this;
    }

    final public function getContentLength(): int
    {
        return strlen($this->packPayload());
    }

    final public function getPaddingLength(): int
    {
        return -$this->getContentLength() & 7;
    }

    /** Reads what the content says into the record. */
    protected static function unpackPayload(self $self, string $binaryData): void {}

    protected function packPayload(): string
    {
        return $this->contentData;
    }
}
