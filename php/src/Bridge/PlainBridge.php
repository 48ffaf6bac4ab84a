<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\Launcher\TimeLimitExceeded;
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
    private readonly Autoloaders $autoloaders;

    /**
     * @param bool $sendsFiles whether what is no PHP below the document root may be sent
     * @param bool $showsErrors whether the page of errors is more useful than what the application has to say
     */
    public function __construct(private readonly string $documentRoot, private readonly string $entry, private readonly bool $sendsFiles, private readonly bool $showsErrors)
    {
        $this->variables = new ServerVariables($documentRoot, $entry);
        $this->autoloaders = new Autoloaders();
        $this->realRoot = realpath($documentRoot) ?: $documentRoot;
    }

    public function boot(): void
    {
        require_once __DIR__ . '/header_fields.php';
    }

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
        $path = rawurldecode($request->server['path_info'] ?? '/');
        if ($this->isFolder($path)) {
            return self::redirectToFolder($request, $response);
        }
        $page = $this->pageOf($path, $request->server['request_method']);
        if ($page !== null) {
            $response->header('Content-Type', 'text/html');
            $response->sendfile($page);
            return 200;
        }
        $script = $this->scriptOf($path);
        $fields = new NativeFields($response);
        RequestScope::begin($request, $this->variablesOf($request, $script), self::inputOf($request), $fields->send(...));
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
    private function fail(\Throwable $thrown, NativeFields $fields, int $level): void
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

    public function reset(): void {}

    /** Another script below the document root when the path names one, or a folder with an index.php, otherwise the front controller. */
    private function scriptOf(string $path): string
    {
        if (str_ends_with($path, '.php') || str_contains($path, '.php/')) {
            return $this->script(substr($path, 0, (int) strpos($path, '.php') + 4)) ?? $this->entry;
        }
        return ($path !== '/' && str_ends_with($path, '/') ? $this->script("{$path}index.php") : null) ?? $this->entry;
    }

    /** Whether the path lacks only the slash at its end to name a folder with an index, which links in its pages are relative to. */
    private function isFolder(string $path): bool
    {
        return !str_ends_with($path, '/') && !str_ends_with($path, '.php') && is_dir($this->documentRoot . $path)
            && ($this->script("{$path}/index.php") ?? $this->pageOf("{$path}/")) !== null;
    }

    /** The index.html of a folder that has no index.php. */
    private function pageOf(string $path, string $method = 'GET'): ?string
    {
        $isFolder = $this->sendsFiles && $path !== '/' && str_ends_with($path, '/') && in_array($method, ['GET', 'HEAD'], true);
        // What is hidden is no more sent than it is by its own name.
        return $isFolder && !str_contains($path, '/.') && $this->script("{$path}index.php") === null ? $this->script("{$path}index.html") : null;
    }

    private static function redirectToFolder(Request $request, Response $response): int
    {
        $query = $request->server['query_string'] ?? '';
        // Two slashes at the beginning would name another host.
        $response->header('Location', '/' . ltrim($request->server['path_info'], '/') . '/' . ($query === '' ? '' : "?{$query}"));
        $response->status(301);
        $response->end();
        return 301;
    }

    /** The file of that name, when there is one below the document root. */
    private function script(string $name): ?string
    {
        if (!is_file($this->documentRoot . $name)) {
            return null;
        }
        $real = (string) realpath($this->documentRoot . $name);
        return str_starts_with($real, "{$this->realRoot}/") ? $this->documentRoot . substr($real, strlen($this->realRoot)) : null;
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
