<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Stampede\Diagnostics\BootFailure;
use Stampede\Http\EventStream;
use Swoole\Atomic;
use Swoole\Coroutine;
use Swoole\Http\Response;

/** In development pages reload themselves when there is new code, and show why newer code is not served. */
final class ReloadNotifier
{
    public const SCRIPT = '/.stampede/page.js';
    private const EVENTS = '/.stampede/events';
    private const PERIOD = 0.05; // seconds
    private const HEARTBEAT = 15.0;
    private const RETRY = 200; // milliseconds until a browser that lost its connection comes again
    private const OLD = 0; // not the revision of any code: the present one may have grown before this worker hears that it ends

    private readonly Atomic $revision;
    private bool $leaving = false;

    public function __construct(private readonly BootFailure $fault)
    {
        $this->revision = new Atomic(time()); // a server that was started again has other ones
    }

    /** Something is new to pages. In any process. */
    public function changed(): void
    {
        $this->revision->add(1);
    }

    /** Of the pages that this worker makes. */
    public function revision(): int
    {
        return $this->leaving ? self::OLD : $this->revision->get();
    }

    /**
     * This worker ends: its streams do, and browsers come to another one. Until its last connections are closed it still serves pages, of the
     * code before.
     */
    public function leave(): void
    {
        $this->leaving = true;
    }

    /** @param string $path normalised */
    public function has(string $path): bool
    {
        return str_starts_with($path, '/.stampede/');
    }

    public function handle(string $path, Response $response): void
    {
        if ($path === self::SCRIPT) {
            $response->header('Content-Type', 'text/javascript; charset=utf-8');
            $response->header('Cache-Control', 'no-cache');
            $response->end((string) file_get_contents(__DIR__ . '/page.js'));
        } elseif ($path === self::EVENTS) {
            $this->stream(new EventStream($response));
        } else {
            $response->status(404);
            $response->end("There is no such page.\n");
        }
    }

    /** As long as the page is open. */
    private function stream(EventStream $stream): void
    {
        $stream->heartbeat(self::HEARTBEAT);
        for ($told = null; !$this->leaving;) {
            $state = [$this->revision->get(), $this->fault->text()];
            if ($state !== $told) {
                $told = $state;
                if (!$stream->event((string) json_encode(['revision' => $state[0], 'fault' => $state[1]], JSON_INVALID_UTF8_SUBSTITUTE), 'state', null, self::RETRY)) {
                    return;
                }
            }
            Coroutine::sleep(self::PERIOD);
        }
        $stream->close();
    }
}
