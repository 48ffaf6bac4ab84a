<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Closure;
use Stampede\Exception\LaunchException;
use Stampede\Log\Logger;
use Stampede\Tls\Certificate;
use Swoole\Coroutine;
use Swoole\Timer;
use Throwable;

/**
 * Gets certificates in time. In the first process of the server: one for all workers, with the right to read the keys. What fails is in the log
 * with the time of the next try, and nothing else stops for it.
 */
final class Renewals
{
    private const OFTEN = 60; // seconds: the clock may be set, so no wait is longer
    private const SHARE = 2 / 3; // of a certificate's life
    private const JITTER = 0.05; // of it, so that not all servers come at once
    private const FIRST_PAUSE = 60; // seconds after the first failure, twice as many after each further one
    private const LONGEST_PAUSE = 6 * 3600;
    private const ADVICE_TIME = 6 * 3600; // seconds until the authority is asked again when to renew

    private Certificate $certificate;
    private ?Account $account = null;
    private int $timer = 0;
    private int $coroutine = 0; // that asks the authority; 0: none
    private bool $isStopped = false;
    private int $due;
    private int $failures = 0;
    private int $adviceDue = 0;

    /**
     * @param Closure(): mixed $renewed
     */
    public function __construct(
        private readonly Settings $settings,
        private readonly Proof $proof,
        private readonly Closure $renewed,
        private readonly Logger $logger,
    ) {
        $this->certificate = $settings->certificate();
        $this->due = $this->dueTime();
    }

    public function start(): void
    {
        $this->plan();
    }

    /** Also in the middle of an order: the process would stay for as long as the authority is waited for. */
    public function stop(): void
    {
        $this->isStopped = true;
        Timer::clear($this->timer);
        $this->coroutine > 0 && Coroutine::cancel($this->coroutine);
    }

    private function plan(): void
    {
        $seconds = min(self::OFTEN, max(1, $this->due - time()));
        $this->timer = (int) Timer::after($seconds * 1000, function (): void {
            Coroutine::create(function (): void {
                $this->coroutine = Coroutine::getCid();
                $this->look();
                $this->coroutine = 0;
                $this->isStopped || $this->plan();
            });
        });
    }

    private function look(): void
    {
        if (!$this->certificate->isSignedByItself && time() >= $this->adviceDue) {
            $this->askForAdvice();
        }
        if (time() < $this->due || $this->isStopped) {
            return;
        }
        try {
            $lock = $this->settings->lock();
        } catch (LaunchException $failure) {
            $this->postpone($failure);
            return;
        }
        if ($lock === null) {
            $this->due = time() + self::OFTEN;
            return;
        }
        try {
            $this->renew();
        } finally {
            fclose($lock);
        }
    }

    private function renew(): void
    {
        try {
            $this->certificate = $this->settings->certificate();
            $this->due = $this->dueTime();
            if (time() < $this->due) { // another server with this folder has renewed it
                ($this->renewed)();
                return;
            }
            $account = $this->account();
            $text = (new Order($account, $this->proof))->certificate($this->settings->names, $account->urlOf('renewalInfo') === '' ? '' : $this->certificate->renewalName());
            $this->certificate = $this->settings->keep($text);
            $this->due = $this->dueTime();
            $this->adviceDue = 0;
            $this->failures = 0;
            $this->logger->notice("The authority has made a certificate for {$this->names()}, until " . gmdate('Y-m-d H:i', $this->certificate->validUntil) . ' UTC; the next one is due at ' . gmdate('Y-m-d H:i', $this->due) . ' UTC.');
            ($this->renewed)();
        } catch (Throwable $failure) {
            $this->postpone($failure);
        }
    }

    private function names(): string
    {
        return implode(', ', $this->settings->names);
    }

    private function postpone(Throwable $failure): void
    {
        if ($this->isStopped) {
            return;
        }
        $this->account = null; // its directory may be another one by then
        $pause = min(self::LONGEST_PAUSE, self::FIRST_PAUSE << min(10, $this->failures++));
        $pause = max($pause, $failure instanceof AcmeException ? $failure->retryAfter : 0);
        $pause += random_int(0, (int) ($pause * self::JITTER));
        $this->due = time() + $pause;
        $this->logger->notice("No certificate for {$this->names()}: {$failure->getMessage()} The next try is at " . gmdate('Y-m-d H:i:s', $this->due) . ' UTC.');
    }

    /** When the authority wants it renewed, which may be at once: RFC 9773. */
    private function askForAdvice(): void
    {
        $this->adviceDue = time() + self::ADVICE_TIME;
        try {
            $url = $this->account()->urlOf('renewalInfo');
            $name = $this->certificate->renewalName();
            if ($url === '' || $name === '') {
                return;
            }
            $response = (new Http())->request('GET', "{$url}/{$name}");
            $window = $response->json()['suggestedWindow'] ?? [];
            [$start, $end] = [strtotime((string) ($window['start'] ?? '')), strtotime((string) ($window['end'] ?? ''))];
            if ($response->status === 200 && $start !== false && $end !== false && $start <= $end) {
                $this->due = min($this->due, random_int($start, $end));
                $this->adviceDue = time() + ($response->retryAfter() ?: self::ADVICE_TIME);
            }
        } catch (Throwable) { // without advice the time of the certificate counts
            $this->account = null;
        }
    }

    private function account(): Account
    {
        return $this->account ??= $this->settings->account();
    }

    private function dueTime(): int
    {
        $life = $this->certificate->validUntil - $this->certificate->validFrom;
        $isSure = !$this->certificate->isSignedByItself && array_diff($this->settings->names, $this->certificate->names) === [];
        return $isSure ? $this->certificate->validFrom + (int) ($life * self::SHARE) - random_int(0, (int) ($life * self::JITTER)) : time();
    }
}
