<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Curl\Handler;

/**
 * The functions swoole_curl_*: those of PHP for Swoole\Curl\Handler.
 *
 * @internal
 */
final class CurlFunctions
{
    public static function init(string $url = ''): Handler
    {
        return new Handler($url);
    }

    public static function setopt(Handler $obj, int $opt, mixed $value): bool
    {
        return $obj->setOpt($opt, $value);
    }

    /** @param array<int, mixed> $array stops at the first option that cannot be set */
    public static function setoptArray(Handler $obj, array $array): bool
    {
        foreach ($array as $opt => $value) {
            if (!$obj->setOpt($opt, $value)) {
                return false;
            }
        }
        return true;
    }

    public static function exec(Handler $obj): string|bool
    {
        return $obj->exec();
    }

    /** @param int $opt one of CURLINFO_*; 0: all of them as an array */
    public static function getinfo(Handler $obj, int $opt = 0): mixed
    {
        if ($opt === 0) {
            return $obj->getInfo();
        }
        return (fn (): mixed => $this->oneInfo($opt))->call($obj);
    }

    public static function errno(Handler $obj): int
    {
        return $obj->errno();
    }

    public static function error(Handler $obj): string
    {
        return $obj->error();
    }

    public static function reset(Handler $obj): void
    {
        $obj->reset();
    }

    public static function close(Handler $obj): void
    {
        $obj->close();
    }

    public static function multiGetcontent(Handler $obj): ?string
    {
        return $obj->getContent();
    }
}
