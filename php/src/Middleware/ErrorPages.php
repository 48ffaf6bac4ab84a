<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Swoole\ExitException;
use Throwable;

/** What the application has thrown becomes a page, and what it has left open is ended. */
final readonly class ErrorPages implements RequestHandler
{
    public function __construct(private RequestHandler $next, private ErrorResponder $errors) {}

    public function handle(Exchange $exchange): void
    {
        try {
            $this->next->handle($exchange);
        } catch (ExitException) {
            // The application has ended its request.
        } catch (Throwable $failure) {
            $exchange->status = 500;
            if (!$exchange->isOverdue()) {
                $this->errors->respond($failure, 500, $exchange);
            }
        } finally {
            if ($exchange->response->isWritable()) {
                $exchange->response->end();
            }
        }
    }
}
