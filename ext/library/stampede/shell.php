<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine\System;

/** swoole_exec() and swoole_shell_exec(): PHP's exec() and shell_exec() by Coroutine\System. */
final class Shell
{
    /** Adds the lines to $output, if that is an array already, and gives the last one. */
    public static function exec(string $command, mixed &$output = null, mixed &$returnVar = null): string|false
    {
        $result = System::exec($command);
        if ($result === false) {
            return false;
        }
        $text = $result['output'];
        $lines = $text === '' ? [] : explode("\n", str_ends_with($text, "\n") ? substr($text, 0, -1) : $text);
        $lines = array_map(rtrim(...), $lines);
        $output = array_merge(is_array($output) ? $output : [], $lines);
        $returnVar = $result['code'];
        return $lines === [] ? '' : end($lines);
    }

    public static function shellExec(string $command): string|false|null
    {
        $result = System::exec($command);
        if ($result === false) {
            return false;
        }
        return $result['output'] === '' ? null : $result['output'];
    }
}
