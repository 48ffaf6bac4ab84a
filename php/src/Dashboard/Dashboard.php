<?php

declare(strict_types=1);

namespace Stampede\Dashboard;

use Closure;
use Stampede\Top\RequestInWork;
use Stampede\Top\Snapshot;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** A page for people, and the numbers that it asks for again and again. It is one response, and loads nothing from elsewhere. */
final class Dashboard
{
    public const PATH = '/dashboard';
    private const FRESH = 0.9; // seconds that the same numbers are sent for, however many look
    private const MOST_REQUESTS = 100;

    private readonly string $page;
    private readonly string $policy;
    private string $numbers = '';
    private float $taken = 0.0;

    /**
     * @param Closure(string): (array<string, mixed>|null) $ask a command to the supervisor
     * @param Closure(): array<string, mixed> $facts what is known of the server
     */
    public function __construct(private readonly Access $access, private readonly Closure $ask, private readonly Closure $facts)
    {
        [$style, $script] = array_map(static fn (string $file): string => (string) file_get_contents(__DIR__ . "/{$file}"), ['page.css', 'page.js']);
        $this->page = strtr((string) file_get_contents(__DIR__ . '/page.html'), ['/*style*/' => $style, '/*script*/' => $script]);
        $this->policy = "default-src 'none'; style-src '" . self::hash($style) . "'; script-src '" . self::hash($script) . "'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** False: the path is none of these. */
    public function respond(Request $request, Response $response): bool
    {
        $path = $request->server['path_info'];
        if ($path !== self::PATH && $path !== self::PATH . '/numbers') {
            return false;
        }
        foreach (['Content-Security-Policy' => $this->policy, 'X-Content-Type-Options' => 'nosniff', 'Referrer-Policy' => 'no-referrer', 'Cross-Origin-Resource-Policy' => 'same-origin'] as $name => $value) {
            $response->header($name, $value);
        }
        if ($path === self::PATH && $this->access->isToken($request->get['token'] ?? '')) {
            $response->header('Set-Cookie', Access::COOKIE . "={$this->access->proof()}; Path=" . self::PATH . '; HttpOnly; SameSite=Strict');
            $response->header('Location', self::PATH); // an address with the token in it would stay in the browser's history
            $response->status(303);
            $response->end();
            return true;
        }
        if (!$this->access->isGranted($request)) {
            $response->status(403);
            $response->header('Content-Type', 'text/plain; charset=utf-8');
            $response->end("The dashboard is shown to programs of this machine by a local name, or with its token: /dashboard?token=...\n");
            return true;
        }
        $response->header('Content-Type', $path === self::PATH ? 'text/html; charset=utf-8' : 'application/json');
        $response->end($path === self::PATH ? $this->page : $this->numbers());
        return true;
    }

    private function numbers(): string
    {
        if (microtime(true) - $this->taken > self::FRESH) {
            $this->taken = microtime(true);
            $this->numbers = json_encode($this->take(), JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_HEX_TAG | JSON_THROW_ON_ERROR);
        }
        return $this->numbers;
    }

    /** @return array<string, mixed> */
    private function take(): array
    {
        $now = Snapshot::of($this->ask);
        $facts = ($this->facts)();
        if ($now === null) {
            return ['error' => 'The supervisor does not say how the server is.'];
        }
        $numbers = Numbers::now();
        $requests = $now->requests;
        usort($requests, static fn (RequestInWork $a, RequestInWork $b): int => $b->age <=> $a->age);
        return [
            'at' => $now->at,
            'server' => ['directory' => $facts['directory'], 'kind' => $facts['kind'], 'isolation' => $facts['isolation'], 'urls' => $facts['urls'], 'pid' => $facts['pid'], 'started_at' => $facts['started_at']],
            'state' => ($this->ask)('status')['state'] ?? '',
            'counters' => $now->counters,
            'bounds' => $now->bounds,
            'durations' => $now->durations,
            'statuses' => (object) $numbers->statuses,
            'routes' => (object) $numbers->routes,
            'workers' => $now->processes,
            'in_work' => count($requests),
            'requests' => array_map(static fn (RequestInWork $each): array => $each->facts(), array_slice($requests, 0, self::MOST_REQUESTS)),
            'findings' => Findings::of($now->processes, (string) (($this->ask)('generation')['failure'] ?? ''), $facts['certificates'], $numbers),
        ];
    }

    private static function hash(string $text): string
    {
        return 'sha256-' . base64_encode(hash('sha256', $text, true));
    }
}
