<?php

declare(strict_types=1);

namespace Stampede\Process;

/**
 * The first letter of each frame between the processes of a server, followed by four bytes: a number, or the length of the content. No two mean different
 * things, whichever connection they are on. Those of children are as ext/request_loop sends them.
 */
final class FrameType
{
    // From a process that handles requests to its worker.
    public const HELLO = 'R'; // and the number of the process: it takes a request
    public const FILES = 'U'; // temporary files of uploads, which the worker removes when the process cannot
    public const FAILURE = 'X'; // type, line, file and text of a fatal error, before a response of which nothing was sent
    public const ROUTE = 'M'; // what the metrics call the request, before its head
    public const HEAD = 'H'; // status and fields
    public const DATA = 'D'; // a part of the body
    public const END_OF_REQUEST = 'E'; // with the last part of the body: the process takes the next one
    public const END_OF_RESPONSE = 'F'; // with the last part of the body: the request goes on
    public const END_OF_PROCESS = 'L'; // the process ends; of one that cannot go back: and why

    // From a worker to the process that forks for it.
    public const OPEN = 'Z'; // the path where the worker awaits the processes
    public const FORK = '+';
    public const KILL = '-'; // and the number of the process

    // From that process to the worker.
    public const OPENED = 'O'; // and its own number
    public const ENDED = 'Q'; // and the number of the process; 0: the fork has failed

    // From a zygote to the boot process that has started it.
    public const BOOTED = 'B';
    public const BOOT_FAILED = 'T'; // and why
}
