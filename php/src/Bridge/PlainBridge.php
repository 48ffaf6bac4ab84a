<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\WebRequest;
use Swoole\ExitException;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Front controllers that use superglobals, header(), echo, sessions and exit: their file is run for each request. */
final class PlainBridge implements Bridge
{
    private const OUTPUT_BUFFER = 4096; // as PHP's own configuration for servers has it

    private const TRUSTED = 0.1; // seconds in which a script that was looked at is not looked at again

    private readonly ServerVariables $variables;
    private readonly string $realRoot;
    private ?Closure $atShutdown = null;
    private ?string $directory = null; // the working directory of a worker between requests

    public function __construct(private readonly string $documentRoot, private readonly string $entry)
    {
        $this->variables = new ServerVariables($documentRoot, $entry);
        $this->realRoot = realpath($documentRoot) ?: $documentRoot;
    }

    public function boot(): void {}

    /** With a worker's first request: what would otherwise be the same work for each. */
    private function settle(): string
    {
        $directory = dirname($this->entry);
        // PHP's web servers run a script in its folder.
        chdir($directory);
        // Workers look each path up again, so that a link to another release is followed; without a link on the way there is nothing to follow.
        if (realpath($this->entry) === $this->entry && realpath($this->documentRoot) === $this->documentRoot && ini_get('opcache.revalidate_path') !== false) {
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
        $script = $this->scriptOf($request);
        $fields = new NativeFields($response);
        RequestScope::begin($request, $this->variablesOf($request, $script), self::inputOf($request), $fields->send(...));
        if ($this->atShutdown !== null) {
            register_shutdown_function($this->atShutdown);
        }
        ob_start(null, self::OUTPUT_BUFFER);
        if (($directory = dirname($script)) !== $worksIn) {
            chdir($directory);
        }
        $thrown = null;
        try {
            WebRequest::run($script, self::TRUSTED);
        } catch (ExitException $exit) {
            // exit is how many scripts end, also with a text to print.
            if (is_string($exit->getStatus())) {
                echo $exit->getStatus();
            }
        } catch (\Throwable $thrown) {
            $fields->holdBack();
        }
        try {
            WebRequest::end();
        } catch (ExitException) {
        }
        return $thrown === null ? $fields->status() : throw $thrown;
    }

    public function reset(): void
    {
        libxml_use_internal_errors(false);
    }

    /** Another script below the document root when the path names one, otherwise the front controller. */
    private function scriptOf(Request $request): string
    {
        $path = rawurldecode($request->server['path_info'] ?? '/');
        if (!str_ends_with($path, '.php') && !str_contains($path, '.php/')) {
            return $this->entry;
        }
        $named = realpath($this->documentRoot . substr($path, 0, (int) strpos($path, '.php') + 4));
        $inside = $named !== false && str_starts_with($named, "{$this->realRoot}/") && is_file($named);
        return $inside ? $this->documentRoot . substr($named, strlen($this->realRoot)) : $this->entry;
    }

    /** PHP keeps no body of a form with files. */
    private static function inputOf(Request $request): string
    {
        $isMultipart = stripos($request->header['content-type'] ?? '', 'multipart/form-data') === 0 && $request->server['request_method'] === 'POST';
        return $isMultipart ? '' : (string) $request->rawContent();
    }

    /** @return array<string, mixed> */
    private function variablesOf(Request $request, string $script): array
    {
        $variables = $this->variables->of($request);
        if ($script !== $this->entry) {
            $variables['SCRIPT_FILENAME'] = $script;
            $variables['SCRIPT_NAME'] = $variables['PHP_SELF'] = substr($script, strlen($this->documentRoot));
        }
        $path = $request->server['path_info'] ?? '/';
        if (str_starts_with($path, $variables['SCRIPT_NAME'] . '/')) {
            $variables['PATH_INFO'] = rawurldecode(substr($path, strlen($variables['SCRIPT_NAME'])));
            $variables['PHP_SELF'] .= $variables['PATH_INFO'];
        }
        return $variables;
    }
}
