<?php

declare(strict_types=1);

namespace Stampede\Doctor;

/** What the kernel can do, and whether this process may use it. */
final readonly class KernelCheck implements Check
{
    private const FIRST = '4.18';
    private const EXACT_WAITS = '5.11'; // epoll_pwait2()
    private const WATCHES = 65536; // folders that inotify watches

    public function __construct(private bool $isWatched, private ?string $release = null, private string $proc = '/proc') {}

    public function subject(): string
    {
        return 'kernel';
    }

    public function findings(): array
    {
        return array_values(array_filter([$this->version(), $this->ring(), $this->tls(), $this->watches()]));
    }

    private function version(): Finding
    {
        $release = $this->release ?? php_uname('r');
        return match (true) {
            PHP_OS_FAMILY !== 'Linux' => Finding::problem('this is ' . PHP_OS_FAMILY, 'Stampede runs on Linux.'),
            version_compare($release, self::FIRST, '<') => Finding::problem("Linux {$release}", 'Use Linux ' . self::FIRST . ' or newer.'),
            version_compare($release, self::EXACT_WAITS, '<') => Finding::advice("Linux {$release}", 'From Linux ' . self::EXACT_WAITS . ' on waits shorter than a millisecond are exact.'),
            default => Finding::good("Linux {$release}"),
        };
    }

    private function ring(): ?Finding
    {
        $disabled = trim((string) @file_get_contents("{$this->proc}/sys/kernel/io_uring_disabled"));
        return $disabled !== '' && $disabled !== '0' ? Finding::advice("io_uring is off (kernel.io_uring_disabled={$disabled})", 'Nothing has to be done: files are read by helper threads instead.') : null;
    }

    private function tls(): Finding
    {
        return is_file("{$this->proc}/net/tls_stat")
            ? Finding::good('the kernel can encrypt (kTLS): large files over HTTPS are sent without a copy')
            : Finding::advice('the kernel has no TLS of its own', '"modprobe tls" before the start makes large files over HTTPS cheaper (setting ssl_ktls).');
    }

    private function watches(): ?Finding
    {
        $watches = (int) trim((string) @file_get_contents("{$this->proc}/sys/fs/inotify/max_user_watches"));
        return $this->isWatched && $watches > 0 && $watches < self::WATCHES ? Finding::advice("fs.inotify.max_user_watches is {$watches}", 'sysctl fs.inotify.max_user_watches=524288: --watch looks at every folder of the application, and asks again and again where it cannot.') : null;
    }
}
