<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Swoole\Http\Response;

/** Sends what an application gave to header() and printed. */
final class NativeHeaders
{
    private bool $begun = false;
    private bool $hasFailed = false;
    private bool $held = false;
    /** What was printed since a page of the application's own is awaited; null: none is. */
    private ?string $page = null;
    private int $status = 200;

    public function __construct(private readonly Response $response) {}

    /** @return bool false when the client has left */
    public function send(string $data, bool $last): bool
    {
        if ($this->page !== null) {
            $this->page .= $data;
            if (!$last || $this->page === '') {
                return true;
            }
            $data = $this->page;
        } elseif ($this->held) {
            return true;
        }
        if (!$this->begun) {
            $this->begun = true;
            $this->head();
        }
        if ($last) {
            return $this->response->end($data);
        }
        return $data === '' ? $this->response->isWritable() : $this->response->write($data);
    }

    /** The request failed: an error page is sent instead, unless a part has gone out. */
    public function holdBack(): void
    {
        $this->hasFailed = true;
        $this->held = !$this->begun;
    }

    /** The same, but what the application prints from now on is sent, if it is anything. */
    public function awaitPage(): void
    {
        $this->hasFailed = true;
        $this->page = $this->begun ? null : '';
    }

    public function hasFailed(): bool
    {
        return $this->hasFailed;
    }

    public function status(): int
    {
        return $this->status;
    }

    private function head(): void
    {
        [$this->status, $reason, $fields] = RequestScope::head();
        if (preg_grep('/^content-type$/i', array_keys($fields)) === []) {
            $this->response->header('Content-Type', ''); // PHP has one by itself unless the script has removed it, and the server would add its own
        }
        foreach ($fields as $name => $values) {
            $this->response->header((string) $name, count($values) === 1 ? $values[0] : $values, false);
        }
        $this->response->status($this->status, $reason);
    }
}
