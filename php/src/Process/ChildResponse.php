<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Checkpoint;
use Swoole\Http\Response;

use function Stampede\take_route;

/** The response in a forked process: what bridges call is sent to the worker, in frames. */
final class ChildResponse extends Response
{
    private const PIECE = 256 * 1024;

    private int $code = 200;
    private string $reason = '';
    /** @var array<int, array{string, string|list<string>, bool}> */
    private array $fields = [];
    private bool $begun = false;
    private bool $ended = false;

    /** @param list<string> $paths */
    public function tellFiles(array $paths): void
    {
        Checkpoint::send(self::frame(FrameType::FILES, serialize($paths)));
    }

    public function hasBegun(): bool
    {
        return $this->begun || $this->ended;
    }

    public function hasEnded(): bool
    {
        return $this->ended;
    }

    public function code(): int
    {
        return $this->code;
    }

    public function isWritable(): bool
    {
        return !$this->ended;
    }

    public function status(int $http_code, string $reason = ''): bool
    {
        if ($this->ended) {
            return false;
        }
        [$this->code, $this->reason] = [$http_code, $reason];
        return !$this->hasBegun();
    }

    /** @param string|list<string> $value */
    public function header(string $key, $value, bool $format = true): bool
    {
        if ($this->ended) {
            return false;
        }
        foreach ($this->fields as $number => $field) {
            if (strcasecmp($field[0], $key) === 0) {
                unset($this->fields[$number]);
            }
        }
        $this->fields[] = [$key, $value, $format];
        return !$this->hasBegun();
    }

    public function write(string $content): bool
    {
        if ($this->ended) {
            return false;
        }
        if (!$this->begun) {
            $this->begun = true;
            Checkpoint::send($this->headFrame());
        }
        foreach ($content === '' ? [] : str_split($content, self::PIECE) as $piece) {
            if (!Checkpoint::send(self::frame(FrameType::DATA, $piece))) {
                return false;
            }
        }
        return true;
    }

    public function end(?string $content = null): bool
    {
        if ($this->ended) {
            return false;
        }
        $content ??= '';
        if (strlen($content) > self::PIECE) {
            if (!$this->begun) {
                $this->header('Content-Length', (string) strlen($content));
            }
            if (!$this->write($content)) {
                return false;
            }
            $content = '';
        }
        $this->ended = true;
        return Checkpoint::send(($this->begun ? '' : $this->headFrame()) . self::frame(FrameType::END_OF_RESPONSE, $content));
    }

    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool
    {
        $file = @fopen($filename, 'rb');
        if ($this->ended || $this->begun || $file === false) {
            return false;
        }
        $left = max(0, (int) (fstat($file)['size'] ?? 0) - $offset);
        $left = $length > 0 ? min($length, $left) : $left;
        fseek($file, $offset);
        $this->header('Content-Length', (string) $left);
        while ($left > 0) {
            $piece = (string) fread($file, min($left, self::PIECE));
            $left -= strlen($piece);
            if ($piece === '' || !$this->write($piece)) {
                return false; // the file became shorter, or the worker is gone: the client must see a cut response
            }
        }
        return $this->end();
    }

    private function headFrame(): string
    {
        return self::frame(FrameType::HEAD, serialize([$this->code, $this->reason, array_values($this->fields), take_route()]));
    }

    private static function frame(string $type, string $content): string
    {
        return pack('aN', $type, strlen($content)) . $content;
    }
}
