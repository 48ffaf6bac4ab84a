<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Stampede\Exception\BootException;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** PSR-15 handlers (Slim, Mezzio ...) and functions from a PSR-7 request to a PSR-7 response. */
final class Psr15Runner extends AbstractRunner
{
    private Closure $application;
    private Psr7Messages $messages;
    private ErrorHandler $errors;

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly ServerVariables $variables,
    ) {}

    public function boot(): void
    {
        $application = EntryLoader::load($this->directory, $this->entry);
        if ($application instanceof Closure && $application->bindTo(null) !== null && (new \ReflectionFunction($application))->getNumberOfParameters() === 0) {
            $application = $application();
        }
        $this->application = match (true) {
            $application instanceof RequestHandlerInterface => $application->handle(...),
            is_callable($application) => $application(...),
            default => throw new BootException(sprintf(
                '%s must return a Psr\Http\Server\RequestHandlerInterface or a function from a request to a response, not %s.',
                $this->entry,
                get_debug_type($application),
            )),
        };
        if (interface_exists('Psr\Container\ContainerInterface')) {
            WebRequest::keepSettingsOf(['Psr\Container\ContainerInterface']); // a service that a request has made is there in the next one
        }
        $this->messages = new Psr7Messages();
        $this->errors = ErrorHandler::present();
    }

    public function handle(Request $request, Response $response): int
    {
        $variables = $this->variables->of($request);
        $body = (string) $request->rawContent();
        $printed = new OutputBuffer();
        RequestScope::begin($request, $variables, $body, $printed->take(...));
        $this->errors->install();
        try {
            $given = $printed->respond(fn (): ResponseInterface => $this->responseTo($this->messages->request($request, $variables, $body)), $response);
            if ($given === null) {
                return RequestScope::status();
            }
            RequestScope::writeSession();
            $this->messages->send($given, $response, $request->server['request_method'] === 'HEAD', $printed);
        } finally {
            WebRequest::end();
        }
        return $given->getStatusCode();
    }

    private function responseTo(ServerRequestInterface $request): ResponseInterface
    {
        $given = ($this->application)($request);
        if (!$given instanceof ResponseInterface) {
            throw new BootException('The application gave ' . get_debug_type($given) . ' instead of a Psr\Http\Message\ResponseInterface.');
        }
        return $given;
    }
}
