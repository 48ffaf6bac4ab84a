<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Closure;
use Stampede\Log\Logger;
use Swoole\Timer;

/** Looks at all files again and again, where the kernel does not tell of changes. A look takes at most a tenth of the time. */
final class PollingNotifier implements ChangeNotifier
{
    private const PERIOD = 150; // milliseconds
    private const SLOW = 0.1; // seconds for one look, from which on the user is told

    /** @var array<string, string> */
    private array $seen = [];
    private int $timer = 0;
    private bool $isToldSlow = false;

    /**
     * @param Closure(string): void $changed for each path
     */
    public function __construct(private readonly SourceTree $tree, private readonly Closure $changed, private readonly Logger $logger) {}

    public function begin(): void
    {
        $this->seen = $this->tree->marks();
        $this->timer = (int) Timer::after(self::PERIOD, $this->look(...));
    }

    public function end(): void
    {
        Timer::clear($this->timer);
    }

    private function look(): void
    {
        $began = microtime(true);
        $now = $this->tree->marks();
        $took = microtime(true) - $began;
        foreach (array_keys(array_diff_assoc($now, $this->seen) + array_diff_key($this->seen, $now)) as $path) {
            ($this->changed)($path);
        }
        $this->seen = $now;
        $period = max(self::PERIOD, (int) ($took * 10_000));
        if ($took > self::SLOW && !$this->isToldSlow) {
            $this->isToldSlow = true;
            $this->logger->notice(sprintf('%d files are watched, and a look at all takes %.1f s: changes are noticed within %.0f s.', count($now), $took, $period / 1000));
        }
        $this->timer = (int) Timer::after($period, $this->look(...));
    }
}
