<?php

declare(strict_types=1);

namespace Stampede\Https;

use Closure;
use Stampede\Config\Configuration;
use Stampede\Exception\LaunchException;
use Stampede\Log\Logger;
use Stampede\Tls\Certificate;
use Swoole\Timer;

/** Tells of renewed certificates. In the first process of the server, which has the right to read the keys. */
final class CertificateWatch
{
    private const LOOK = 10000; // milliseconds
    private int $timer = 0;
    private string $seen;

    /**
     * @param Closure(): mixed $renewed called when the files are other ones and can be used
     */
    public function __construct(
        private Certificates $certificates,
        private readonly Configuration $options,
        private readonly Closure $renewed,
        private readonly Logger $logger,
    ) {
        $this->seen = $this->look();
    }

    public function start(): void
    {
        $this->timer = (int) Timer::tick(self::LOOK, $this->compare(...));
    }

    public function stop(): void
    {
        Timer::clear($this->timer);
    }

    /** Those in use. */
    public function certificates(): Certificates
    {
        return $this->certificates;
    }

    public function compare(): void
    {
        $now = $this->look();
        if ($now === $this->seen) {
            return;
        }
        try {
            $renewed = Certificates::read($this->options);
        } catch (LaunchException $failure) {
            // A program that renews them may have written one file of two: when the other one is there, they have changed again.
            $this->seen = $now;
            $this->logger->notice("The certificates have changed, but the former ones stay in use: {$failure->getMessage()}");
            return;
        }
        if ($this->look() !== $now) { // while they were read
            return;
        }
        $this->seen = $now;
        if ($renewed->settings() !== $this->certificates->settings()) { // the ports were opened with those
            $this->logger->notice('A certificate is for other names than before: clients that ask for new ones get the first certificate until the server is started again.');
        }
        $this->certificates = $renewed;
        $this->logger->notice('The certificates have changed: new connections get ' . implode(', ', array_map(static fn (Certificate $each): string => "{$each->file} (for {$each->daysLeft()} days)", $renewed->all)) . '.');
        ($this->renewed)();
    }

    /** What tells a file from the one that was there before, also where a link has come to lead to another one. */
    private function look(): string
    {
        $facts = [];
        foreach ($this->certificates->files() as $file) {
            clearstatcache(true, $file);
            $stat = @stat($file);
            $facts[] = $stat === false ? $file : "{$file} {$stat['dev']} {$stat['ino']} {$stat['size']} {$stat['mtime']} {$stat['ctime']}";
        }
        return implode("\n", $facts);
    }
}
