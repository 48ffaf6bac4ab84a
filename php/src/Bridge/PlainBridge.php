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

    private readonly ServerVariables $variables;
    private readonly ProcessState $state;
    private readonly string $realRoot;
    private ?Closure $atShutdown = null;

    public function __construct(private readonly string $documentRoot, private readonly string $entry)
    {
        $this->variables = new ServerVariables($documentRoot, $entry);
        $this->state = new ProcessState();
        $this->realRoot = realpath($documentRoot) ?: $documentRoot;
    }

    public function boot(): void
    {
        $this->state->note();
    }

    /** The first shutdown function of each request, also after a fatal error. */
    public function atShutdown(Closure $function): void
    {
        $this->atShutdown = $function;
    }

    public function handle(Request $request, Response $response): int
    {
        $script = $this->scriptOf($request);
        $this->fillSuperglobals($request, $script);
        $fields = new NativeFields($response);
        WebRequest::begin(
            $request->server['request_method'],
            $_SERVER['REQUEST_URI'],
            $_SERVER['QUERY_STRING'],
            $request->header['content-type'] ?? '',
            $request->header['cookie'] ?? '',
            self::inputOf($request),
            $fields->send(...),
        );
        if ($this->atShutdown !== null) {
            register_shutdown_function($this->atShutdown);
        }
        ob_start(null, self::OUTPUT_BUFFER);
        chdir(dirname($script));
        $thrown = null;
        try {
            WebRequest::run($script);
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
        $this->state->restore();
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

    private function fillSuperglobals(Request $request, string $script): void
    {
        $_GET = $request->get ?? [];
        $_POST = $request->post ?? [];
        $_COOKIE = $request->cookie ?? [];
        $_FILES = $request->files ?? [];
        $_REQUEST = $_POST + $_GET;
        $_SERVER = $this->variables->of($request);
        if ($script !== $this->entry) {
            $_SERVER['SCRIPT_FILENAME'] = $script;
            $_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = substr($script, strlen($this->documentRoot));
        }
        $after = substr($request->server['path_info'] ?? '/', strlen($_SERVER['SCRIPT_NAME']));
        if ($after !== '' && str_starts_with($request->server['path_info'] ?? '/', $_SERVER['SCRIPT_NAME'] . '/')) {
            $_SERVER['PATH_INFO'] = rawurldecode($after);
            $_SERVER['PHP_SELF'] .= $_SERVER['PATH_INFO'];
        }
    }
}
