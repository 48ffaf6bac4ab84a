<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Chromium without a screen, told what to do by its debugging protocol. Ends with the object. */
final class Browser implements Stoppable
{
    private const START_TIME = 60.0;
    private const CALL_TIME = 60.0;

    /** @var resource|null */
    private $process;
    private readonly string $folder;
    private readonly WebSocketPeer $socket;
    private int $calls = 0;
    private string $context;

    /** @param list<string> $options more of them for Chromium */
    public function __construct(array $options = [])
    {
        $this->folder = External::folder();
        $log = ['file', "{$this->folder}/output", 'w'];
        // A group of its own, since the browser is many processes.
        $command = ['setsid', 'chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--hide-scrollbars', '--remote-debugging-port=0', "--user-data-dir={$this->folder}/data", ...$options, 'about:blank'];
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], $log, $log], $pipes) ?: throw new \RuntimeException('Chromium cannot be started.');
        Started::add($this);
        $port = "{$this->folder}/data/DevToolsActivePort";
        if (!Server::until(self::START_TIME, static fn (): bool => substr_count((string) @file_get_contents($port), "\n") > 0)) {
            throw new \RuntimeException('Chromium did not start: ' . file_get_contents("{$this->folder}/output"));
        }
        [$number, $path] = explode("\n", trim((string) file_get_contents($port)));
        $this->socket = new WebSocketPeer("tcp://127.0.0.1:{$number}", $path, host: "127.0.0.1:{$number}");
        $this->context = $this->call('Target.createBrowserContext')['browserContextId'];
    }

    public function __destruct()
    {
        $this->end();
    }

    public function end(): void
    {
        if ($this->process === null) {
            return;
        }
        $pid = proc_get_status($this->process)['pid'];
        posix_kill(-$pid, SIGTERM);
        if (!Server::until(10.0, fn (): bool => !proc_get_status($this->process)['running'])) {
            posix_kill(-$pid, SIGKILL);
        }
        proc_close($this->process);
        $this->process = null;
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    /** A window that shares its cookies with the others. */
    public function window(int $width, int $height, bool $isPhone = false): BrowserWindow
    {
        $target = $this->call('Target.createTarget', ['url' => 'about:blank', 'browserContextId' => $this->context])['targetId'];
        $session = $this->call('Target.attachToTarget', ['targetId' => $target, 'flatten' => true])['sessionId'];
        $this->call('Emulation.setDeviceMetricsOverride', ['width' => $width, 'height' => $height, 'deviceScaleFactor' => $isPhone ? 2 : 1, 'mobile' => $isPhone], $session);
        return new BrowserWindow($this, $session);
    }

    /**
     * @param array<string, mixed> $parameters
     * @return array<string, mixed>
     */
    public function call(string $method, array $parameters = [], string $session = ''): array
    {
        $id = ++$this->calls;
        $this->socket->send(json_encode(['id' => $id, 'method' => $method, 'params' => (object) $parameters] + ($session === '' ? [] : ['sessionId' => $session]), JSON_THROW_ON_ERROR));
        while (($text = $this->socket->text(self::CALL_TIME)) !== null) {
            $message = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
            if (($message['id'] ?? 0) === $id) {
                return $message['result'] ?? throw new \RuntimeException("{$method}: {$message['error']['message']}");
            }
        }
        throw new \RuntimeException("Chromium did not respond to {$method}: " . file_get_contents("{$this->folder}/output"));
    }
}
