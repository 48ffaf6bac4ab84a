<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\BootException;
use Stampede\Log\Logger;
use Stampede\Runner\InMemoryRequest;
use Stampede\Runner\Runner;

/** Requests that no client has sent, before the memory of the application is kept: what they need is loaded then, and compiled where PHP has its JIT. */
final readonly class WarmUp
{
    private const UNTIL_COMPILED = 300; // times that the JIT must see a request to have compiled what it needs: the memory that is kept has the rest of what it has counted
    private const LONGEST = 2.0; // seconds, after which nothing is repeated; at most the part SHARE_OF_BOOT of --boot-timeout
    private const SHARE_OF_BOOT = 0.25;

    /** @param float $bootTime seconds */
    public function __construct(private Runner $runner, private ChildRunner $child, private Logger $logger, private float $bootTime) {}

    /** @param list<string> $paths @throws BootException when one fails */
    public function run(array $paths): void
    {
        foreach ($paths as $path) {
            $why = $this->request($path);
            if ($why !== '') {
                throw new BootException("The warm-up GET {$path} failed: {$why}");
            }
        }
        $times = self::hasJit() ? self::UNTIL_COMPILED : 0;
        $paths === [] ? $this->warmUpFramework(max(1, $times)) : $this->repeat($paths, $times);
        $this->runner->prepareNextRequest(); // once, instead of in each process
    }

    /** Of an application of which nobody has named a path. */
    private function warmUpFramework(int $times): void
    {
        $path = $this->runner->beginFrameworkOnly();
        if ($path !== null) {
            $this->repeat([$path], $times);
            $this->runner->endFrameworkOnly();
        }
    }

    /** @param non-empty-list<string> $paths */
    private function repeat(array $paths, int $times): void
    {
        $until = microtime(true) + min(self::LONGEST, $this->bootTime * self::SHARE_OF_BOOT);
        for (; $times > 0; $times--) {
            foreach ($paths as $path) {
                if (microtime(true) > $until) {
                    return;
                }
                $why = $this->request($path);
                if ($why !== '') {
                    $this->logger->warning("The warm-up GET {$path} is not repeated, it has failed: {$why}");
                    return;
                }
            }
        }
    }

    /** @return string why it has failed */
    private function request(string $path): string
    {
        $why = $this->child->rehearse(InMemoryRequest::get($path, 'stampede warm-up'));
        $this->runner->reset();
        return $why;
    }

    private static function hasJit(): bool
    {
        // It warns where opcache.restrict_api forbids it.
        $status = function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        return is_array($status) && ($status['jit']['on'] ?? false);
    }
}
