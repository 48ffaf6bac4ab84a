<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\PathResolver;
use Stampede\Application\RequestPath;
use Stampede\Application\Resource;
use Stampede\Application\ResourceKind;
use Stampede\Exception\TimeLimitExceeded;
use Stampede\Log\FailureLog;
use Stampede\WebRequest;
use Swoole\ExitException;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Front controllers that use superglobals, header(), echo, sessions and exit: their file is run for each request. */
final class FrontControllerRunner extends AbstractRunner
{
    private const OUTPUT_BUFFER = 4096; // as PHP's own configuration for servers has it

    private const TRUSTED = 0.1; // seconds in which a script that was looked at is not looked at again

    private readonly PathResolver $paths;
    private ?Closure $atShutdown = null;
    private ?string $directory = null; // the working directory of a worker between requests
    private readonly Autoloaders $autoloaders;

    /** @param bool $showsErrors whether the page of errors is more useful than what the application has to say */
    public function __construct(private readonly ApplicationDescriptor $application, private readonly ServerVariables $variables, private readonly FailureLog $failures, private readonly bool $showsErrors)
    {
        $this->autoloaders = new Autoloaders();
        $this->paths = new PathResolver($application);
    }

    public function boot(): void
    {
        require_once __DIR__ . '/header_fields.php';
    }

    /** With a worker's first request: what would otherwise be the same work for each. */
    private function settle(): string
    {
        [$entry, $documentRoot] = [$this->application->entry, $this->application->documentRoot];
        $directory = dirname($entry);
        // PHP's web servers run a script in its folder.
        chdir($directory);
        // Workers look each path up again, so that a link to another release is followed; without a link on the way there is nothing to follow.
        if (realpath($entry) === $entry && realpath($documentRoot) === $documentRoot && ini_get('opcache.revalidate_path') !== false) {
            ini_set('opcache.revalidate_path', '0');
        }
        return $this->directory = (string) getcwd();
    }

    /** The first shutdown function of each request, also after a fatal error. */
    public function atShutdown(Closure $function): void
    {
        $this->atShutdown = $function;
    }

    public function handle(Request $request, Response $response): int
    {
        $worksIn = $this->directory ?? $this->settle();
        $resource = $this->paths->resolve(RequestPath::of($request->server['path_info'] ?? '/'), $request->server['request_method']);
        if ($resource->kind !== ResourceKind::Script && $resource->kind !== ResourceKind::FrontController) {
            return ResourceResponse::send($resource, $request, $response);
        }
        $script = $resource->file;
        $fields = new NativeHeaders($response);
        RequestScope::begin($request, $this->variablesOf($request, $resource), self::inputOf($request), $fields->send(...));
        $atShutdown = $this->atShutdown;
        if ($atShutdown !== null) {
            register_shutdown_function(static fn () => $fields->hasFailed() || $atShutdown());
        }
        ob_start(null, self::OUTPUT_BUFFER);
        $level = ob_get_level();
        if (($directory = dirname($script)) !== $worksIn) {
            chdir($directory);
        }
        $thrown = self::thrownBy(static fn (): mixed => WebRequest::run($script, self::TRUSTED));
        if ($thrown !== null && !$thrown instanceof TimeLimitExceeded && ($handler = set_exception_handler(null)) !== null) {
            $caught = $thrown;
            $thrown = self::thrownBy(static function () use ($handler, $thrown): void {
                $handler($thrown);
            });
        }
        if ($thrown !== null) {
            $this->fail($thrown, $fields, $level);
        }
        try {
            WebRequest::end();
        } catch (ExitException) {
        }
        $this->autoloaders->forgetRepeated();
        if ($thrown === null && isset($caught) && $fields->status() >= 500) {
            $this->failures->write($request, $caught); // the page of the application's handler need not say it
        }
        return $thrown === null ? $fields->status() : throw $thrown;
    }

    /** What the code has thrown, unless it has ended by exit, maybe with a text to print. */
    private static function thrownBy(Closure $code): ?\Throwable
    {
        try {
            $code();
        } catch (ExitException $exit) {
            if (is_string($exit->getStatus())) {
                echo $exit->getStatus();
            }
        } catch (\Throwable $thrown) {
            return $thrown;
        }
        return null;
    }

    /**
     * Shutdown functions find what PHP's own web servers would tell them of the exception, and may print a page in production. What was printed
     * before is none.
     *
     * @param int $level of the output buffers, without those of the script
     */
    private function fail(\Throwable $thrown, NativeHeaders $fields, int $level): void
    {
        if ($thrown instanceof TimeLimitExceeded) {
            $fields->holdBack(); // the response is there already
            return;
        }
        WebRequest::noteFatalError("Uncaught {$thrown}\n  thrown", $thrown->getFile(), $thrown->getLine());
        if ($this->showsErrors) {
            $fields->holdBack();
            return;
        }
        while (ob_get_level() > $level && @ob_end_clean()) {
        }
        @ob_clean();
        if (RequestScope::status() === 200) {
            @http_response_code(500);
        }
        $fields->awaitPage();
    }

    /** PHP keeps no body of a form with files. */
    private static function inputOf(Request $request): string
    {
        $isMultipart = stripos($request->header['content-type'] ?? '', 'multipart/form-data') === 0 && $request->server['request_method'] === 'POST';
        return $isMultipart ? '' : (string) $request->rawContent();
    }

    /** @return array<string, mixed> */
    private function variablesOf(Request $request, Resource $resource): array
    {
        $variables = $this->variables->of($request);
        if ($resource->kind === ResourceKind::Script) {
            $variables['SCRIPT_FILENAME'] = $resource->file;
            $variables['SCRIPT_NAME'] = $variables['PHP_SELF'] = $resource->scriptName;
        }
        if ($resource->pathInfo !== '') {
            $variables['PATH_INFO'] = $resource->pathInfo;
            $variables['PHP_SELF'] .= $resource->pathInfo;
        }
        return $variables;
    }
}
