<?php

declare(strict_types=1);

namespace Stampede\Bridge;

/** What functions of PHP change for the whole process: noted once, restored after each request. */
final class ProcessState
{
    private string $directory;
    private string $zone;
    private int $umask;
    private string|false $locale;
    private string|false $encoding = false;

    public function note(): void
    {
        $this->directory = (string) getcwd();
        $this->zone = date_default_timezone_get();
        $this->umask = umask();
        $this->locale = setlocale(LC_ALL, '0');
        $this->encoding = function_exists('mb_internal_encoding') ? mb_internal_encoding() : false;
    }

    public function restore(): void
    {
        if (getcwd() !== $this->directory) {
            chdir($this->directory);
        }
        if (date_default_timezone_get() !== $this->zone) {
            date_default_timezone_set($this->zone);
        }
        umask($this->umask);
        $locale = setlocale(LC_ALL, '0');
        if ($locale !== $this->locale && $this->locale !== false) {
            setlocale(LC_ALL, $this->locale);
        }
        if ($this->encoding !== false && mb_internal_encoding() !== $this->encoding) {
            mb_internal_encoding($this->encoding);
        }
        libxml_use_internal_errors(false);
        error_clear_last();
        $_GET = $_POST = $_COOKIE = $_FILES = $_REQUEST = [];
    }
}
