<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\IsolationMode;
use Stampede\Log\FailureLog;
use Stampede\Log\ProcessLogger;
use Stampede\Runner\FatalError;
use Stampede\Runner\InMemoryRequest;
use Stampede\Runner\InMemoryResponse;
use Stampede\Runner\Runner;
use Stampede\Runner\RunnerFactory;
use Swoole\Coroutine;
use Swoole\ExitException;
use Throwable;

/** In a program of its own: boots an application, gives it requests, and notes what stays of them. */
final class SuitabilityChecker
{
    /** @var list<array{kind: string, text: string}> */
    private array $findings = [];
    private int $handled = 0;
    /** @var array<string, int> status of the first request of each path */
    private array $first = [];
    private string $step = 'boot';
    private bool $isWritten = false;
    private readonly Runner $runner;

    /** @param array<string, mixed> $facts */
    private function __construct(private readonly array $facts)
    {
        $logger = new ProcessLogger();
        $runners = new RunnerFactory(ApplicationDescriptor::from($facts['application']), $facts['environment'], new FailureLog($logger), $logger);
        $this->runner = $runners->runner(IsolationMode::Sequential);
    }

    /**
     * @param array<string, mixed> $facts
     * @return int exit status
     */
    public static function perform(array $facts): int
    {
        chdir($facts['directory']);
        $checker = new self($facts);
        register_shutdown_function($checker->finish(...));
        $checker->runner->atShutdown($checker->lookForFatalError(...));
        Coroutine::set(['hook_flags' => SWOOLE_HOOK_ALL]);
        Coroutine\run($checker->run(...));
        return 0;
    }

    private function run(): void
    {
        $open = self::descriptors();
        try {
            $this->runner->boot();
        } catch (Throwable $failure) {
            $this->find('boot', "The application does not boot: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()}).");
            $this->finish();
            return;
        }
        foreach (array_diff(self::descriptors(), $open) as $number => $target) {
            $this->find('descriptor', "The boot leaves descriptor {$number} open ({$target}): with the isolation process all requests share it.");
        }
        $this->step = 'requests';
        $this->serve($this->facts['paths']); // which loads classes
        $sizes = StateSnapshot::now();
        $settings = ini_get_all(null, false) ?: [];
        for ($round = 0; $round < $this->facts['rounds']; $round++) {
            $this->serve([$this->facts['paths'][$round % count($this->facts['paths'])]]);
        }
        foreach (StateSnapshot::growth($sizes, StateSnapshot::now()) as $name => $more) {
            $this->find('state', "{$name} grew over {$this->facts['rounds']} requests: {$more}.");
        }
        foreach (array_diff_assoc(array_map('strval', ini_get_all(null, false) ?: []), array_map('strval', $settings)) as $name => $value) {
            $this->find('ini', "The setting {$name} stays changed after requests: \"{$value}\".");
        }
        $blocking = \Stampede\blocking_calls();
        if ($blocking['count'] > 0) {
            $this->find('blocking', sprintf('%d calls held the worker for %.3f s together, the last one: %s.', $blocking['count'], $blocking['total'], $blocking['last'] ?? '?'));
        }
        $this->finish();
    }

    /** @param list<string> $paths */
    private function serve(array $paths): void
    {
        foreach ($paths as $path) {
            $response = new InMemoryResponse();
            try {
                $status = $this->runner->handle(InMemoryRequest::get($path, 'stampede check'), $response);
                $text = "status {$status}";
            } catch (ExitException) {
                [$status, $text] = [200, ''];
            } catch (Throwable $failure) {
                [$status, $text] = [500, "{$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()})"];
            }
            $this->runner->reset();
            $this->handled++;
            $isFirst = !isset($this->first[$path]);
            $this->first[$path] ??= $status;
            if ($status >= 500 && ($isFirst || $this->first[$path] < 500)) {
                $this->find($isFirst ? 'failure' : 'later failure', "Request {$this->handled}, GET {$path}, failed" . ($isFirst ? '' : ' although the first one did not') . ": {$text}.");
            }
        }
    }

    private function lookForFatalError(): void
    {
        if (FatalError::last() !== null) {
            $this->finish();
        }
    }

    /** Also a shutdown function: after exit() at boot and fatal errors. */
    private function finish(): void
    {
        if ($this->isWritten) {
            return;
        }
        $this->isWritten = true;
        $error = FatalError::last();
        if ($error !== null) {
            ini_set('memory_limit', '-1');
            $number = $this->handled + 1;
            $place = $this->step === 'boot' ? 'The boot' : "Request {$number}";
            $kind = str_contains($error['message'], 'Cannot redeclare') || str_contains($error['message'], 'Cannot declare') ? 'declaration' : 'fatal';
            $this->find($this->step === 'boot' ? 'boot' : $kind, "{$place} ends with a fatal error: {$error['message']} ({$error['file']}:{$error['line']}).");
        }
        file_put_contents('php://fd/3', json_encode(['handled' => $this->handled, 'findings' => $this->findings], JSON_INVALID_UTF8_SUBSTITUTE));
    }

    private function find(string $kind, string $text): void
    {
        foreach ($this->findings as $finding) {
            if ($finding['kind'] === $kind && $kind === 'later failure') {
                return; // the first one says enough
            }
        }
        $this->findings[] = ['kind' => $kind, 'text' => $text];
    }

    /** @return array<int, string> sockets, pipes and files by number; not those that PHP and the event loop use for themselves */
    private static function descriptors(): array
    {
        $found = [];
        foreach (scandir('/proc/self/fd') ?: [] as $number) {
            $target = (string) @readlink("/proc/self/fd/{$number}");
            if ($target !== '' && !str_starts_with($target, 'anon_inode:') && !str_starts_with($target, '/proc/') && !str_ends_with($target, '.php')) {
                $found[(int) $number] = $target;
            }
        }
        return $found;
    }
}
