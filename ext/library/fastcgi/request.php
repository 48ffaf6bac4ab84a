<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use Stringable;
use Swoole\FastCGI;

/** A request to a responder; as a string the records that say it. */
class Request extends Message implements Stringable
{
    protected bool $keepConn = false;

    public function __toString(): string
    {
        $out = (string) new Record\BeginRequest(FastCGI::RESPONDER, $this->keepConn ? FastCGI::KEEP_CONN : 0);
        $params = '';
        foreach ($this->params as $name => $value) {
            $params .= (new Record\Params([$name => $value]))->getContentData();
        }
        foreach (self::pieces($params) as $piece) {
            $out .= self::record(FastCGI::PARAMS, $piece);
        }
        $out .= self::record(FastCGI::PARAMS, '');
        foreach (self::pieces($this->body) as $piece) {
            $out .= self::record(FastCGI::STDIN, $piece);
        }
        return $out . self::record(FastCGI::STDIN, '');
    }

    /** Whether the application shall keep the connection. */
    public function getKeepConn(): bool
    {
        return $this->keepConn;
    }

    /** @return static */
    public function withKeepConn(bool $keepConn): self
    {
        $this->keepConn = $keepConn;
        return $this;
    }

    /** @return list<string> */
    private static function pieces(string $bytes): array
    {
        return $bytes === '' ? [] : str_split($bytes, FastCGI::MAX_CONTENT_LENGTH);
    }

    private static function record(int $type, string $content): string
    {
        $padding = -strlen($content) & 7;
        return pack('CCnnCC', FastCGI::VERSION_1, $type, FastCGI::DEFAULT_REQUEST_ID, strlen($content), $padding, 0)
            . $content . str_repeat("\0", $padding);
    }
}
