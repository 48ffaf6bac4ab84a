<?php

declare(strict_types=1);

namespace Stampede\Middleware;

/** Replaces a worker that has grown too large, between two requests. */
final readonly class MemoryLimit implements RequestHandler
{
    /** @param int $most bytes */
    private function __construct(private RequestHandler $next, private WorkerReplacement $replacement, private int $most) {}

    /**
     * While a request still has half of what memory_limit leaves to it after the boot.
     *
     * @param int $wanted bytes that the user allows; 0: any
     */
    public static function around(RequestHandler $next, WorkerReplacement $replacement, int $wanted): RequestHandler
    {
        $limit = ini_parse_quantity((string) ini_get('memory_limit'));
        $used = memory_get_usage();
        $most = $limit <= 0 || $wanted === 0 ? $wanted : min($wanted, $used + intdiv(max(0, $limit - $used), 2));
        return $most > 0 ? new self($next, $replacement, $most) : $next;
    }

    public function handle(Exchange $exchange): void
    {
        $this->next->handle($exchange);
        if (memory_get_usage() > $this->most) {
            $this->replacement->request();
        }
    }
}
