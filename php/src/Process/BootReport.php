<?php

declare(strict_types=1);

namespace Stampede\Process;

/** The connection by which a zygote tells the boot process that has started it how its boot went: one frame, of a letter and the length of the text that follows. */
final class BootReport
{
    private const CONNECT_TIME = 5.0; // seconds

    /** @param resource $connection */
    private function __construct(private $connection) {}

    /** Null: the boot process is gone. */
    public static function open(string $path): ?self
    {
        $connection = @stream_socket_client("unix://{$path}", timeout: self::CONNECT_TIME);
        return $connection === false ? null : new self($connection);
    }

    /** @return bool false when nobody listens any more */
    public function booted(): bool
    {
        $isSent = $this->send(FrameType::BOOTED, '');
        fclose($this->connection);
        return $isSent;
    }

    public function failed(string $why): void
    {
        $this->send(FrameType::BOOT_FAILED, $why);
    }

    private function send(string $type, string $text): bool
    {
        $frame = pack('aN', $type, strlen($text)) . $text;
        return @fwrite($this->connection, $frame) === strlen($frame);
    }
}
