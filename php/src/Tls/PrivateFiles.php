<?php

declare(strict_types=1);

namespace Stampede\Tls;

use Stampede\Exception\ConfigurationException;

/** A folder for keys, which only the user of the server may enter. */
final readonly class PrivateFiles
{
    private function __construct(public string $folder) {}

    /**
     * @param string $wayOut what the user can do when the folder cannot be used
     * @throws ConfigurationException
     */
    public static function in(string $folder, string $wayOut): self
    {
        if (!is_dir($folder) && !@mkdir($folder, 0700, true) && !is_dir($folder)) {
            throw new ConfigurationException("The folder {$folder} for keys and certificates cannot be made: {$wayOut}");
        }
        if (fileowner($folder) !== posix_geteuid()) {
            throw new ConfigurationException("The folder {$folder} for keys and certificates belongs to another user: {$wayOut}");
        }
        if ((fileperms($folder) & 0077) !== 0 && !@chmod($folder, 0700)) {
            throw new ConfigurationException("The folder {$folder} for keys and certificates can be read by other users: {$wayOut}");
        }
        return new self($folder);
    }

    /** Where programs of this user keep their data. */
    public static function home(): string
    {
        $home = getenv('HOME') ?: (posix_getpwuid(posix_geteuid())['dir'] ?? '');
        return (getenv('XDG_DATA_HOME') ?: "{$home}/.local/share") . '/stampede';
    }

    public function path(string $name): string
    {
        return "{$this->folder}/{$name}";
    }

    public function read(string $name): ?string
    {
        $text = @file_get_contents($this->path($name));
        return $text === false ? null : $text;
    }

    /** Whole or not at all: another server of this user may read it at the same time, and the machine may fail. */
    public function write(string $name, string $text): void
    {
        $new = @tempnam($this->folder, 'new'); // mode 0600
        $file = $new === false ? false : @fopen($new, 'w');
        $isWritten = $file !== false && @fwrite($file, $text) === strlen($text) && @fsync($file);
        if ($new === false || !$isWritten || dirname($new) !== $this->folder || !@rename($new, $this->path($name))) {
            $new === false || @unlink($new);
            throw new ConfigurationException("The file {$this->path($name)} cannot be written: " . preg_replace('/^.*: /', '', error_get_last()['message'] ?? 'is the disk full?') . '.');
        }
    }
}
