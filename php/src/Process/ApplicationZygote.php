<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Checkpoint;
use Stampede\Exception\LaunchException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Log\LogText;
use Stampede\Runner\InMemoryRequest;
use Stampede\Runner\NativeHeaders;
use Stampede\Runner\RequestScope;
use Stampede\Runner\Runner;
use Stampede\Runner\RunnerFactory;
use Stampede\Runner\SymfonyRunner;
use Stampede\Runner\SymfonyWarmUp;
use Stampede\WebRequest;
use Swoole\Coroutine;
use Throwable;

/**
 * The process that boots the application of a generation. For each worker it forks one that forks the processes of the worker's requests
 * (WorkerZygote), which go back to what they were after the boot when a request has ended. A program of its own, so that what it forks has no
 * connection, listening socket, timer or event loop of a worker.
 */
final class ApplicationZygote
{
    public const BOOTED = 'B';
    public const FAILED = 'X'; // and the length of the text that follows

    private const BOOT_TIME_MORE = 5; // seconds until it ends itself, when the boot process has not done it
    private const MOST_PATTERNS = 200;
    private const UNTIL_COMPILED = 300; // times that the JIT must see a request to have compiled what it needs: the memory that is kept has the rest of what it has counted
    private const WARM_UP_TIME = 2.0; // seconds, after which nothing is repeated; at most the part SHARE_OF_BOOT of --boot-timeout
    private const SHARE_OF_BOOT = 0.25;

    private readonly bool $keeps; // children go back
    private readonly ChildRunner $child;

    /** @param list<string> $warmUp paths that the application is asked for before its memory is kept */
    public function __construct(private readonly Runner $bridge, private readonly string $path, bool $showsErrors, private readonly array $warmUp, bool $fresh)
    {
        $this->keeps = !$fresh && Checkpoint::obstacle() === null;
        $this->child = new ChildRunner($bridge, $showsErrors, $this->keeps);
    }

    /**
     * @param array<string, string> $facts
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir($facts['directory']);
        if (ApplicationKind::from($facts['kind']) === ApplicationKind::Plain) {
            // Requests include its files. For opcache this process has begun when its memory was kept, so it would never look at one again.
            ini_set('opcache.validate_timestamps', '1');
            ini_set('opcache.revalidate_freq', '0');
        }
        $bridge = RunnerFactory::of(ApplicationDescriptor::from($facts), $facts['environment'], IsolationMode::Process);
        $server = new self($bridge, $facts['path'], $facts['environment'] !== 'prod', json_decode($facts['warmUp'], true, 2, JSON_THROW_ON_ERROR), $facts['fresh'] !== '');
        return $server->run($facts['report'], (int) $facts['bootTime']);
    }

    /** @param int $bootTime seconds */
    private function run(string $reportPath, int $bootTime): int
    {
        $bootProcess = posix_getppid();
        $report = stream_socket_client("unix://{$reportPath}");
        if ($report === false) {
            return 1;
        }
        pcntl_alarm($bootTime + self::BOOT_TIME_MORE);
        try {
            $this->bridge->boot();
            $this->warmUp(min(self::WARM_UP_TIME, $bootTime * self::SHARE_OF_BOOT));
        } catch (Throwable $failure) {
            $text = ExceptionFormatter::sentence($failure);
            fwrite($report, pack('aN', self::FAILED, strlen($text)) . $text);
            return 1;
        }
        pcntl_alarm(0);
        if ($this->keeps && $this->keep()) {
            $this->child->live(); // in a child that has gone back
            return 0;
        }
        $listener = ZygoteListener::open($this->path, $this->inChild(...));
        if ($listener === null || @fwrite($report, pack('aN', self::BOOTED, 0)) !== 5) {
            $listener?->close();
            return 1;
        }
        fclose($report);
        $listener->serve($bootProcess);
        return 0;
    }

    /**
     * PCRE maps memory for machine code, 64 KiB each time that the code of one more pattern does not fit. A process that has done that can be
     * put back only by a look at all its mappings, which costs more than most requests. Afterwards such a piece is new and nearly empty.
     */
    private static function makeRoomForPatterns(): void
    {
        $mapped = self::executableBytes();
        for ($i = 0; ini_get('pcre.jit') === '1' && $i < self::MOST_PATTERNS && self::executableBytes() === $mapped; $i++) {
            preg_match("/^{$i}(?:one|two|three|four|five|six|seven|eight|nine|ten){2,5}(?:red|green|blue|yellow|black|white){2,5}$/", '');
        }
    }

    /** Of no file. */
    private static function executableBytes(): int
    {
        $bytes = 0;
        foreach (file('/proc/self/maps') ?: [] as $line) {
            if (preg_match('/^(\w+)-(\w+) ..x. 0+ 00:00 0\s*$/', $line, $part) === 1) {
                $bytes += (int) hexdec($part[2]) - (int) hexdec($part[1]);
            }
        }
        return $bytes;
    }

    private function inChild(string $path): void
    {
        WebRequest::endProcessToo();
        if (!Checkpoint::connect($path)) {
            return; // the worker is gone
        }
        if ($this->keeps) {
            Checkpoint::begin(); // goes on where this process called keep()
        }
        $this->child->live();
    }

    /** Has the application, or else Symfony alone, handle requests, until what they need is loaded, and compiled where PHP has its JIT. */
    private function warmUp(float $seconds): void
    {
        foreach ($this->warmUp as $path) {
            $why = $this->rehearse($path);
            if ($why !== '') {
                throw new LaunchException("The warm-up GET {$path} failed: {$why}");
            }
        }
        $symfony = $this->bridge instanceof SymfonyRunner ? $this->bridge : null;
        $isSymfonyAlone = $this->warmUp === [] && $symfony?->beginRehearsal() === true;
        $this->repeat($isSymfonyAlone ? [SymfonyWarmUp::PATH] : $this->warmUp, self::hasJit() ? self::UNTIL_COMPILED : (int) $isSymfonyAlone, microtime(true) + $seconds);
        $symfony?->endRehearsal();
        $symfony?->settle(); // once, instead of in each process
    }

    /** @param list<string> $paths */
    private function repeat(array $paths, int $times, float $until): void
    {
        for (; $paths !== [] && $times > 0; $times--) {
            foreach ($paths as $path) {
                if (microtime(true) > $until) {
                    return;
                }
                $why = $this->rehearse($path);
                if ($why !== '') {
                    LogText::log("The warm-up GET {$path} is not repeated, it has failed: {$why}", 'warning');
                    return;
                }
            }
        }
    }

    /** @return string why it has failed */
    private function rehearse(string $path): string
    {
        $why = $this->child->rehearse(InMemoryRequest::get($path, 'stampede warm-up'));
        $this->bridge->reset();
        return $why;
    }

    private static function hasJit(): bool
    {
        // It warns where opcache.restrict_api forbids it.
        $status = function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        return is_array($status) && ($status['jit']['on'] ?? false);
    }

    /** What every request needs is made before: it is there each time then. */
    private function keep(): bool
    {
        foreach ([ChildRunner::class, RequestMessage::class, ChildRequest::class, ChildResponse::class, RequestScope::class, NativeHeaders::class] as $class) {
            class_exists($class);
        }
        self::makeRoomForPatterns();
        Coroutine\run(static function (): void {});
        gc_collect_cycles();
        return Checkpoint::keep();
    }
}
