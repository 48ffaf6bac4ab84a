<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Swoole\Http\Response;

/** Sends what an application gave to header() and printed. */
final class NativeFields
{
    private bool $begun = false;
    private bool $held = false;
    private int $status = 200;

    public function __construct(private readonly Response $response) {}

    public function send(string $data, bool $last): void
    {
        if ($this->held) {
            return;
        }
        if (!$this->begun) {
            $this->begun = true;
            $this->head();
        }
        if ($last) {
            $this->response->end($data);
        } elseif ($data !== '') {
            $this->response->write($data);
        }
    }

    /** The request failed: an error page is sent instead, unless a part has gone out. */
    public function holdBack(): void
    {
        $this->held = !$this->begun;
    }

    public function status(): int
    {
        return $this->status;
    }

    private function head(): void
    {
        $status = http_response_code();
        $this->status = is_int($status) ? $status : 200;
        $fields = RequestScope::fields();
        foreach ($fields as $name => $values) {
            $this->response->header((string) $name, count($values) === 1 ? $values[0] : $values, false);
        }
        $this->response->status($this->status);
    }
}
