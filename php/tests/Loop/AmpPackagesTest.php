<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

use Amp\ByteStream;
use Amp\Parallel\Worker;
use Amp\Process\Process;
use Amp\Socket;
use Amp\TimeoutCancellation;
use PHPUnit\Framework\TestCase;
use Revolt\EventLoop;
use Stampede\Loop\RevoltDriver;
use Swoole\Coroutine;

use function Amp\async;
use function Amp\delay;
use function Amp\Future\await;
use function Swoole\Coroutine\run;

/** AMPHP's packages in coroutines, beside native ones. */
final class AmpPackagesTest extends TestCase
{
    protected function setUp(): void
    {
        EventLoop::setDriver(new RevoltDriver());
    }

    public function testFuturesAreAwaitedByCoroutinesOutsideAndInFibers(): void
    {
        self::assertSame('outside', async(function (): string {
            delay(0.005);
            return 'outside';
        })->await());
        $results = [];
        run(function () use (&$results): void {
            for ($i = 0; $i < 5; $i++) {
                go(function () use ($i, &$results): void {
                    $results[] = async(function () use ($i): int {
                        Coroutine::sleep(0.01);  // a native wait inside of async()
                        delay(0.01);
                        return $i;
                    })->await();
                });
            }
        });
        self::assertSame(range(0, 4), $results);
    }

    public function testSocketsBesideNativeCoroutines(): void
    {
        $answers = $native = [];
        run(function () use (&$answers, &$native): void {
            $server = Socket\listen('127.0.0.1:0');
            go(function () use ($server): void {
                while ($socket = $server->accept()) {
                    go(function () use ($socket): void {
                        while (($bytes = $socket->read()) !== null) {
                            Coroutine::sleep(0.001);
                            $socket->write(strtoupper($bytes));
                        }
                        $socket->close();
                    });
                }
            });
            go(function () use (&$native): void {
                for ($i = 0; $i < 3; $i++) {
                    Coroutine::sleep(0.001);
                    $native[] = $i;
                }
            });
            $asked = [];
            for ($i = 0; $i < 50; $i++) {
                $asked[] = async(function () use ($server, $i): ?string {
                    $client = Socket\connect($server->getAddress()->toString());
                    $client->write("hello $i");
                    $answer = $client->read(new TimeoutCancellation(10));
                    $client->close();
                    return $answer;
                });
            }
            $answers = await($asked);
            $server->close();
        });
        ksort($answers);
        self::assertSame(array_map(static fn (int $i): string => "HELLO $i", range(0, 49)), $answers);
        self::assertSame([0, 1, 2], $native);
    }

    public function testDns(): void
    {
        $server = new NameServer(['name.test' => '10.9.8.7']);
        $address = '';
        run(function () use ($server, &$address): void {
            $config = new class ($server->address()) implements \Amp\Dns\DnsConfigLoader {
                public function __construct(private readonly string $server)
                {
                }

                public function loadConfig(): \Amp\Dns\DnsConfig
                {
                    return new \Amp\Dns\DnsConfig([$this->server]);
                }
            };
            $resolver = new \Amp\Dns\Rfc1035StubDnsResolver(null, $config);
            $records = $resolver->resolve('name.test', \Amp\Dns\DnsRecord::A);
            $address = $records[0]->getValue();
        });
        self::assertSame('10.9.8.7', $address);
    }

    public function testProcesses(): void
    {
        $seen = [];
        run(function () use (&$seen): void {
            $process = Process::start(['sh', '-c', 'cat; exit 3']);
            go(function () use (&$seen): void {
                Coroutine::sleep(0.001);
                $seen[] = 'native';
            });
            $process->getStdin()->write('through a process');
            Coroutine::sleep(0.02);
            $process->getStdin()->end();
            $seen[] = ByteStream\buffer($process->getStdout());
            $seen[] = $process->join();
        });
        self::assertSame(['native', 'through a process', 3], $seen);
    }

    public function testParallelWorkers(): void
    {
        $results = [];
        $native = 0;
        run(function () use (&$results, &$native): void {
            $pool = new Worker\ContextWorkerPool(2);
            $running = true;
            go(function () use (&$running, &$native): void {
                while ($running) {
                    Coroutine::sleep(0.001);
                    $native++;
                }
            });
            $futures = [];
            for ($i = 1; $i <= 4; $i++) {
                $futures[] = $pool->submit(new SquareTask($i))->getFuture();
            }
            try {
                $results = await($futures);
                ksort($results);
                $pool->shutdown();
            } finally {
                $running = false;
            }
        });
        self::assertSame([1, 4, 9, 16], $results);
        self::assertGreaterThan(1, $native);
    }
}
