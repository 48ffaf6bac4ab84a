<?php

declare(strict_types=1);

namespace Stampede\Tests\Doctor;

use PHPUnit\Framework\TestCase;
use Stampede\Config\ListenAddress;
use Stampede\Config\Machine;
use Stampede\Doctor\AddressCheck;
use Stampede\Doctor\Check;
use Stampede\Doctor\ExtensionCheck;
use Stampede\Doctor\Finding;
use Stampede\Doctor\KernelCheck;
use Stampede\Doctor\LimitsCheck;
use Stampede\Doctor\PhpCheck;
use Stampede\Doctor\RightsCheck;
use Stampede\Doctor\Verdict;

final class ChecksTest extends TestCase
{
    private string $folder;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/stampede-doctor-' . getmypid();
        mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    public function testThePhpOfTheTestsIsGood(): void
    {
        self::assertSame([], array_diff(self::texts(new PhpCheck(false, disabled: []), Verdict::Problem), ['OPcache is not loaded']));
    }

    public function testAVersionThatIsNotSupportedAndMissingFunctionsAreProblems(): void
    {
        self::assertStringContainsString('PHP 8.2 to 8.6', self::advice(new PhpCheck(false, 80100, []))[0]);
        self::assertStringContainsString('PHP 8.2 to 8.6', self::advice(new PhpCheck(false, 80700, []))[0]);
        self::assertContains('disable_functions names pcntl_fork, proc_open', self::texts(new PhpCheck(false, disabled: ['exec', 'proc_open', 'pcntl_fork']), Verdict::Problem));
    }

    public function testExtensionsThatDoNotGoTogetherAreProblems(): void
    {
        self::assertSame(['the extension openswoole is loaded'], self::texts(new ExtensionCheck(['openswoole', 'curl']), Verdict::Problem));
        self::assertSame(['the extension xdebug is loaded', 'oci8 (Oracle) blocks its worker while it waits', 'MySQL is reached by its C library, which blocks its worker while it waits'], self::texts(new ExtensionCheck(['xdebug', 'oci8', 'mysqli']), Verdict::Advice));
        self::assertSame(['waits in coroutines: mysqli, redis'], self::texts(new ExtensionCheck(['mysqlnd', 'mysqli', 'redis']), Verdict::Good));
    }

    public function testLowLimitsAreNamed(): void
    {
        $this->write('net/core/somaxconn', "128\n");
        $this->write('vm/max_map_count', "1000\n");
        $machine = new Machine(0.5, 128 << 20);
        self::assertSame(['256 open files at most'], self::texts(new LimitsCheck($machine, $this->folder, [256, 256]), Verdict::Problem));
        self::assertSame(['net.core.somaxconn is 128', 'vm.max_map_count is 1000', '0.5 processors, 128 MiB: 1 worker'], self::texts(new LimitsCheck($machine, $this->folder, [1 << 20, 1 << 20]), Verdict::Advice));
        self::assertStringContainsString('ulimit -n 65536', self::advice(new LimitsCheck($machine, $this->folder, [1024, 1 << 20]))[0]);
    }

    public function testWhatTheKernelCannotDo(): void
    {
        $this->write('sys/kernel/io_uring_disabled', "2\n");
        $this->write('sys/fs/inotify/max_user_watches', "8192\n");
        self::assertSame(['Linux 4.9.0'], self::texts(new KernelCheck(false, '4.9.0', $this->folder), Verdict::Problem));
        self::assertSame(['Linux 5.10.1', 'io_uring is off (kernel.io_uring_disabled=2)', 'the kernel has no TLS of its own', 'fs.inotify.max_user_watches is 8192'], self::texts(new KernelCheck(true, '5.10.1', $this->folder), Verdict::Advice));
        $this->write('net/tls_stat', '');
        self::assertSame(['io_uring is off (kernel.io_uring_disabled=2)'], self::texts(new KernelCheck(false, '6.1.0', $this->folder), Verdict::Advice));
    }

    public function testAddresses(): void
    {
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($taken);
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($taken, false), ':'), 1);
        $check = static fn (string $address, bool $isServed = false): array => array_map(static fn (Finding $finding): string => "{$finding->verdict->value}: {$finding->text}", (new AddressCheck([ListenAddress::parse($address)], $isServed))->findings());
        self::assertSame(["problem: 127.0.0.1:{$port} is in use"], $check("127.0.0.1:{$port}"));
        self::assertSame(["good: 127.0.0.1:{$port} is served by this application"], $check("127.0.0.1:{$port}", true));
        self::assertSame(['problem: 203.0.113.1:8000 is no address of this machine'], $check('203.0.113.1:8000'));
        self::assertSame(["good: unix:{$this->folder}/socket can be made"], $check("unix:{$this->folder}/socket"));
        self::assertSame(["problem: unix:{$this->folder}/none/socket cannot be made"], $check("unix:{$this->folder}/none/socket"));
        fclose($taken);
        self::assertSame(["good: 127.0.0.1:{$port} is free"], $check("127.0.0.1:{$port}"));
    }

    public function testRightsWithoutAnApplication(): void
    {
        self::assertSame([], self::texts(new RightsCheck(null, ''), Verdict::Problem));
    }

    /** @return list<string> */
    private static function texts(Check $check, Verdict $verdict): array
    {
        return array_values(array_map(static fn (Finding $finding): string => $finding->text, array_filter($check->findings(), static fn (Finding $finding): bool => $finding->verdict === $verdict)));
    }

    /** @return list<string> */
    private static function advice(Check $check): array
    {
        return array_values(array_filter(array_map(static fn (Finding $finding): string => $finding->advice, $check->findings())));
    }

    private function write(string $name, string $text): void
    {
        @mkdir(dirname("{$this->folder}/{$name}"), 0755, true);
        file_put_contents("{$this->folder}/{$name}", $text);
    }
}
