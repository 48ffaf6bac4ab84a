<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What it costs to hand a request to another process and to get its response back, when neither of them does anything. */
final class HandOver
{
    private const TIMES = 20_000;
    private const MESSAGE = 1024; // bytes of a request and of a response

    /** CPU microseconds of both processes, each time. */
    public static function microseconds(): float
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: throw new \RuntimeException('There is no pair of sockets.');
        $message = str_repeat('x', self::MESSAGE);
        $child = pcntl_fork();
        if ($child === 0) {
            fclose($pair[0]);
            while (stream_socket_recvfrom($pair[1], self::MESSAGE) !== '') {
                stream_socket_sendto($pair[1], $message);
            }
            posix_kill(getmypid(), SIGKILL);
        }
        fclose($pair[1]);
        $before = self::used(0);
        for ($i = 0; $i < self::TIMES; $i++) {
            stream_socket_sendto($pair[0], $message);
            stream_socket_recvfrom($pair[0], self::MESSAGE);
        }
        $own = self::used(0) - $before;
        $before = self::used(1);
        fclose($pair[0]);
        pcntl_waitpid($child, $status);
        return ($own + self::used(1) - $before) / self::TIMES;
    }

    /** @param int $mode 0: this process, 1: children that have ended */
    private static function used(int $mode): float
    {
        $usage = getrusage($mode) ?: throw new \RuntimeException('getrusage() fails.');
        return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }
}
