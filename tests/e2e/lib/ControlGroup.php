<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A control group of the kernel for some processes, of either version. Gone with the object. */
final class ControlGroup
{
    private function __construct(private readonly string $folder, private readonly bool $unified)
    {
    }

    public function __destruct()
    {
        foreach ($this->processes() as $pid) {
            posix_kill($pid, SIGKILL);
        }
        Server::until(10, fn (): bool => @rmdir($this->folder));
    }

    /** Null where this machine lets nobody make one. */
    public static function of(string $controller): ?self
    {
        $name = 'stampede-test-' . getmypid();
        if (@mkdir("/sys/fs/cgroup/$controller/$name")) {
            return new self("/sys/fs/cgroup/$controller/$name", false);
        }
        if (str_contains((string) @file_get_contents('/sys/fs/cgroup/cgroup.subtree_control'), $controller) && @mkdir("/sys/fs/cgroup/$name")) {
            return new self("/sys/fs/cgroup/$name", true);
        }
        return null;
    }

    public function limitMemory(int $bytes): void
    {
        if ($this->unified) {
            @file_put_contents("$this->folder/memory.swap.max", '0');
            file_put_contents("$this->folder/memory.max", (string) $bytes);
            return;
        }
        file_put_contents("$this->folder/memory.limit_in_bytes", (string) $bytes);
        @file_put_contents("$this->folder/memory.memsw.limit_in_bytes", (string) $bytes);
    }

    /** @param int|'max' $count */
    public function limitProcesses(int|string $count): void
    {
        file_put_contents("$this->folder/pids.max", (string) $count);
    }

    public function add(int ...$pids): void
    {
        foreach ($pids as $pid) {
            file_put_contents($this->processesFile(), (string) $pid);
        }
    }

    /** A process that writes its number there joins the group. */
    public function processesFile(): string
    {
        return "$this->folder/cgroup.procs";
    }

    /** @return list<int> */
    public function processes(): array
    {
        return array_map(intval(...), file($this->processesFile(), FILE_IGNORE_NEW_LINES) ?: []);
    }
}
