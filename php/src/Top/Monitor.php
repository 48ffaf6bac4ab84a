<?php

declare(strict_types=1);

namespace Stampede\Top;

use Stampede\Supervisor\ServerStateFile;

/** The screen of `stampede top`: looks once a second, and does what keys ask. */
final class Monitor
{
    private readonly View $view;
    private Activity $activity;
    /** @var list<RequestInWork> as they are shown */
    private array $shown = [];

    public function __construct(private readonly ServerStateFile $server, private readonly Terminal $terminal, private readonly float $interval, private Snapshot $last)
    {
        $this->view = new View();
        $this->activity = Activity::between($last, $last);
    }

    /** @return string why it has ended; empty: the user wanted it */
    public function run(): string
    {
        for ($due = 0.0;;) {
            if (microtime(true) >= $due) {
                $now = Snapshot::take($this->server);
                if ($now === null) {
                    return 'The server does not respond any more.';
                }
                $this->activity = Activity::between($this->last, $now);
                $this->last = $now;
                $due = microtime(true) + $this->interval;
            }
            $this->draw();
            $key = $this->terminal->key(max(0.0, $due - microtime(true)));
            if ($key === 'q') {
                return '';
            }
            $key === null || $this->obey($key);
        }
    }

    private function draw(): void
    {
        $selected = $this->shown[$this->view->selected] ?? null;
        $this->shown = $this->view->order->apply($this->activity->now->requests, $this->view->filter);
        // The selection stays with its request, as long as that is there.
        foreach ($this->shown as $i => $request) {
            if ($selected !== null && [$request->connection, $request->stream, $request->pid] === [$selected->connection, $selected->stream, $selected->pid]) {
                $this->view->selected = $i;
            }
        }
        $this->view->selected = max(0, min($this->view->selected, count($this->shown) - 1));
        $serving = count(array_filter($this->activity->now->processes, static fn (array $each): bool => $each['kind'] === 'worker' && $each['state'] === 'serving'));
        $age = Page::duration(1000.0 * (time() - $this->server->startedAt));
        $this->terminal->show($this->page()->lines($this->activity, $this->shown, $this->view, "stampede top  {$this->server->directory}  {$this->server->isolation}  {$serving} serve  up {$age}"));
    }

    private function page(): Page
    {
        return new Page(...$this->terminal->size());
    }

    private function obey(string $key): void
    {
        $request = $this->shown[$this->view->selected] ?? null;
        $this->view->prompt = '';
        match (true) {
            $key === 'up' => $this->select(-1),
            $key === 'down' => $this->select(1),
            $key === 'page up' => $this->select(-10),
            $key === 'page down' => $this->select(10),
            $key === 's' => $this->view->order = $this->view->order->next(),
            $key === '/' => $this->readFilter(),
            $key === 'escape' => $this->view->filter = '',
            $request === null => $this->view->prompt = in_array($key, ['t', 'c', 'k', 'enter'], true) ? 'There is no request to do that with.' : '',
            $key === 't', $key === 'enter' => $this->showStack($request),
            $key === 'c' => $this->cancel($request),
            $key === 'k' => $this->kill($request),
            default => null,
        };
    }

    /** The row that is selected is that of $shown: draw() keeps it with its request, so that this one changes. */
    private function select(int $rows): void
    {
        $this->view->selected = max(0, min($this->view->selected + $rows, count($this->shown) - 1));
    }

    private function readFilter(): void
    {
        for ($this->view->filter = '';;) {
            $this->view->prompt = "filter: {$this->view->filter}_   (enter: done, escape: none)";
            $this->draw();
            $key = $this->terminal->key(60.0);
            if ($key === 'escape' || $key === 'enter' || $key === null) {
                $this->view->filter = $key === 'escape' ? '' : $this->view->filter;
                break;
            }
            $this->view->filter = $key === 'backspace' ? substr($this->view->filter, 0, -1) : $this->view->filter . (strlen($key) === 1 ? $key : '');
        }
        $this->view->prompt = '';
    }

    private function showStack(RequestInWork $request): void
    {
        $found = $this->server->call(['command' => 'coroutines', 'worker' => $request->worker])['workers'] ?? [];
        $text = ['', "{$request->method} {$request->target}", "from {$request->client}, for " . Page::duration($request->age), ''];
        foreach ($found as $process) {
            if (isset($process['error'])) {
                $text[] = "worker {$process['id']} {$process['error']}";
            }
            foreach ($process['coroutines']['list'] ?? [] as $coroutine) {
                if ($process['pid'] === $request->pid && ($coroutine['id'] === $request->coroutine || $coroutine['parent'] === $request->coroutine)) {
                    $text = [...$text, "coroutine {$coroutine['id']} ({$coroutine['state']})", ...array_map(strval(...), array_values($coroutine['trace'])), ''];
                }
            }
        }
        $this->terminal->show($this->page()->text($request->name(), count($text) > 4 ? $text : [...$text, 'The request has ended, or has not begun.']));
        $this->terminal->key(600.0);
    }

    private function cancel(RequestInWork $request): void
    {
        if ($request->coroutine === 0) {
            $this->view->prompt = 'It computes, or has not begun: there is no wait to cancel.';
            return;
        }
        if (!$this->confirms("Cancel the wait of {$request->name()} (worker {$request->worker})?")) {
            return;
        }
        $workers = $this->server->call(['command' => 'cancel', 'worker' => $request->worker, 'number' => $request->coroutine])['workers'] ?? [];
        $isCancelled = array_filter($workers, static fn (array $process): bool => $process['pid'] === $request->pid && ($process['cancelled'] ?? false) === true) !== [];
        $this->view->prompt = $isCancelled ? 'Its wait has been ended: it gets a CanceledException, or what its call returns then.' : 'It did not wait any more.';
    }

    private function kill(RequestInWork $request): void
    {
        $others = count(array_filter($this->activity->now->requests, static fn (RequestInWork $each): bool => $each->pid === $request->pid)) - 1;
        if (!$this->confirms("Kill worker {$request->worker} (pid {$request->pid}) at once, which loses this and {$others} other requests?")) {
            return;
        }
        $response = $this->server->call(['command' => 'kill', 'worker' => $request->worker, 'number' => $request->pid]);
        $this->view->prompt = ($response['killed'] ?? false) === true ? "Worker {$request->worker} is killed and replaced." : 'Not killed: ' . ($response['error'] ?? 'the server does not respond') . '.';
    }

    private function confirms(string $question): bool
    {
        $this->view->prompt = "{$question} y/n";
        $this->draw();
        $isWanted = $this->terminal->key(60.0) === 'y';
        $this->view->prompt = '';
        return $isWanted;
    }
}
