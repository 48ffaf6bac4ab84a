<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** A site that both servers serve from one copy of its files. */
final class Served
{
    public const FPM = 'nginx+FPM';
    public const OWN = 'Stampede';
    public const WORKERS = 2;
    public const PROCESSES = 4; // of FPM, and of all workers together
    private const CONNECTIONS = 8;

    /** @var array<string, list<Program>> */
    private array $programs = [];
    /** @var array<string, int> */
    private array $ports = [];
    private readonly Folder $folder;

    public function __construct(private readonly string $name, private readonly Site $site)
    {
        $this->folder = new Folder('applications');
        try {
            $this->start();
        } catch (\Throwable $failure) {
            $this->end();
            throw $failure;
        }
    }

    private function start(): void
    {
        $copy = $this->copy();
        $this->site->set_up?->__invoke($copy);
        foreach (['sessions', 'settings'] as $name) {
            mkdir("{$this->folder->path}/$name");
        }
        // Without the JIT, as Debian has it: what it compiles, and when, differs from one run to the next.
        file_put_contents("{$this->folder->path}/settings/application.ini", "session.save_path={$this->folder->path}/sessions\nopcache.jit=disable\nopcache.jit_buffer_size=0\n");
        if (Opponents::is_root()) {
            Folder::shell('chown -R www-data:www-data ' . escapeshellarg($copy) . ' ' . escapeshellarg("{$this->folder->path}/sessions"));
        }
        Folder::aged($copy);
        $root = rtrim("$copy/{$this->site->root}", '/');
        putenv("PHP_INI_SCAN_DIR={$this->folder->path}/settings");
        try {
            $this->ports = [self::FPM => free_port(), self::OWN => free_port()];
            $this->programs[self::FPM] = Opponents::nginx_fpm($this->folder, $this->ports[self::FPM], $root, self::PROCESSES, 'nginx_php.conf');
            $as = Opponents::is_root() ? ['--user=www-data'] : [];
            $options = ['--env=prod', '--workers=' . self::WORKERS, '--processes=' . intdiv(self::PROCESSES, self::WORKERS), "--pid-file={$this->folder->path}/own.json", ...$as];
            $this->programs[self::OWN] = [Opponents::launcher($this->folder, $this->ports[self::OWN], $root, $options)];
        } finally {
            putenv('PHP_INI_SCAN_DIR');
        }
    }

    /** Links of a package may lead to files of packages that it only recommends: those that lead nowhere are left out. */
    private function copy(): string
    {
        $copy = "{$this->folder->path}/site";
        mkdir($copy);
        $into = escapeshellarg($copy);
        Folder::shell('cd ' . escapeshellarg($this->site->source) . " && find -L . -type d -print0 | (cd $into && xargs -0 mkdir -p) && find -L . -type f -print0 | tar -c --dereference --hard-dereference --null -T - | tar -x --no-same-owner -C $into && chmod -R u+rwX,a+rX $into");
        return $copy;
    }

    public function end(): void
    {
        foreach (array_merge(...array_values($this->programs)) as $program) {
            $program->stop();
        }
        $this->folder->remove();
    }

    /**
     * Looks at each page on both servers, twice, and at what is written at one and read at the other.
     *
     * @return array<string, array<string, Requests>> page => server => the requests for it
     */
    public function pages(): array
    {
        $requests = [];
        foreach ($this->site->pages as $path => $text) {
            $this->compare($path, $text, array_map(static fn (int $port): Browser => new Browser($port), $this->ports));
            $requests[$path] = array_map(static fn (): Requests => (new Requests())->add('GET', $path, $text, check: 'contains'), $this->ports);
        }
        if ($this->site->members === null) {
            return $requests;
        }
        // A session for each connection: requests of one wait for each other.
        $signed_in = array_map(fn (int $port): array => array_map(fn (): Browser => $this->signed_in($port), range(1, self::CONNECTIONS)), $this->ports);
        foreach ($this->site->members->pages as $path => $text) {
            $this->compare($path, $text, array_map(static fn (array $browsers): Browser => $browsers[0], $signed_in));
            foreach ($signed_in as $server => $browsers) {
                $requests[$path][$server] = new Requests();
                foreach ($browsers as $browser) {
                    $requests[$path][$server]->add('GET', $path, $text, fields: [$browser->cookies()], check: 'contains');
                }
            }
        }
        if ($this->site->members->write !== null) {
            $this->check_writes($this->site->members->write);
        }
        return $requests;
    }

    /**
     * A slice of load on each server, in another order each time.
     *
     * @param array<string, Requests> $requests by server
     * @return array<string, CheckedLoad> by server
     */
    public function load(array $requests, float $seconds, int $slice): array
    {
        $loads = [];
        $servers = array_keys($this->programs);
        foreach ($slice % 2 === 0 ? $servers : array_reverse($servers) as $server) {
            $loads[$server] = CheckedLoad::run($this->programs[$server], $this->ports[$server], self::CONNECTIONS, $seconds, $requests[$server]);
        }
        return $loads;
    }

    private function signed_in(int $port): Browser
    {
        $browser = new Browser($port);
        $this->site->members?->sign_in->__invoke($browser);
        return $browser;
    }

    /** @param array<string, Browser> $browsers by server */
    private function compare(string $path, string $text, array $browsers): void
    {
        foreach ([1, 2] as $time) {
            $pages = [];
            foreach ($browsers as $server => $browser) {
                $page = $browser->get($path);
                if ($browser->status !== 200 || !str_contains($page, $text)) {
                    throw new \RuntimeException("$this->name: $path at $server has the status $browser->status, or is without \"$text\": " . substr($page, 0, 1500) . Opponents::complaints($this->programs[$server]));
                }
                $pages[$server] = Browser::lasting($page);
            }
            if ($pages[self::FPM] !== $pages[self::OWN]) {
                throw new \RuntimeException("$this->name: $path is another page at each server, time $time: " . self::difference($pages[self::FPM], $pages[self::OWN]));
            }
        }
    }

    /** @param \Closure(Browser, string): string $write */
    private function check_writes(\Closure $write): void
    {
        foreach ($this->ports as $server => $port) {
            $text = 'Written at ' . ($server === self::OWN ? 'one' : 'the other') . ' ' . bin2hex(random_bytes(4));
            $path = $write($this->signed_in($port), $text);
            foreach ($this->ports as $reader => $of) {
                $page = $this->signed_in($of)->get($path);
                if (!str_contains($page, $text)) {
                    throw new \RuntimeException("$this->name: what was written at $server is not read at $reader: " . substr($page, 0, 1500));
                }
            }
        }
    }

    /** Where the first line differs that is not in both. */
    private static function difference(string $fpm, string $own): string
    {
        $lines = static fn (string $of, string $than): array => array_values(array_diff(explode("\n", $of), explode("\n", $than)));
        [$first, $second] = [$lines($fpm, $own)[0] ?? '', $lines($own, $fpm)[0] ?? ''];
        $from = max(0, strspn($first ^ $second, "\0") - 60);
        return sprintf("%d and %d bytes\n- %s\n+ %s", strlen($fpm), strlen($own), substr($first, $from, 300), substr($second, $from, 300));
    }
}
