<?php

declare(strict_types=1);

namespace Stampede;

use Closure;
use LogicException;
use Stampede\Log\Logger;
use Swoole\Http\Server;
use Throwable;

/**
 * Messages from one worker of an application that the command stampede serves to all of its workers. They are lost with a worker that ends, and when
 * a worker does not take them: what must arrive belongs into a database, and the message says that it is there.
 */
final class Broadcast
{
    private static ?Server $server = null;
    private static ?Logger $logger = null;
    /** @var array<string, list<Closure(mixed): void>> by channel */
    private static array $listeners = [];

    private function __construct() {}

    /**
     * Any value, also to the listeners of the worker that sends it.
     *
     * @return int how many workers it was given to
     */
    public static function send(string $channel, mixed $message): int
    {
        $server = self::$server ?? throw new LogicException('Messages go between the workers of a server: this process is none (with --isolation=process requests have processes of their own).');
        self::receive([$channel, $message]);
        $given = 1;
        for ($worker = 0; $worker < $server->setting['worker_num']; $worker++) {
            // One whose inbox is full gets a warning here, and would hold nobody up.
            $given += $worker !== $server->worker_id && @$server->sendMessage([$channel, $message], $worker) ? 1 : 0;
        }
        return $given;
    }

    /**
     * Calls the function for each message of a channel, as long as this worker lives.
     *
     * @param Closure(mixed): void $listener
     */
    public static function listen(string $channel, Closure $listener): void
    {
        self::$listeners[$channel][] = $listener;
    }

    /** @internal by the launcher, in each worker */
    public static function join(Server $server, Logger $logger): void
    {
        [self::$server, self::$logger] = [$server, $logger];
    }

    /**
     * @internal by the launcher, with what send() has sent
     */
    public static function receive(mixed $message): void
    {
        if (!is_array($message) || !is_string($message[0] ?? null)) {
            return;
        }
        foreach (self::$listeners[$message[0]] ?? [] as $listener) {
            try {
                $listener($message[1]);
            } catch (Throwable $failure) { // is no matter of the sender, nor of the next listener
                self::$logger?->error("A listener of \"{$message[0]}\" failed: {$failure}");
            }
        }
    }
}
