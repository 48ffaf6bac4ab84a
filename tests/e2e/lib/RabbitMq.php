<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A RabbitMQ of its own, as user rabbitmq when the test is root's. Ends with the object. */
final class RabbitMq implements Stoppable
{
    private const TIME = 60.0;

    /** @var resource|null */
    private $process;
    public readonly int $port;
    private string $folder;
    private int $mapperPort;

    public function __construct()
    {
        $this->folder = External::folder();
        [$this->port, $distribution, $this->mapperPort] = [Server::freePort(), Server::freePort(), Server::freePort()];
        file_put_contents("$this->folder/rabbitmq.conf", "listeners.tcp.1 = 127.0.0.1:$this->port\n");
        file_put_contents("$this->folder/plugins", "[].\n");
        $command = ['/usr/lib/rabbitmq/bin/rabbitmq-server'];
        if (posix_getuid() === 0) {
            foreach ([$this->folder, "$this->folder/rabbitmq.conf", "$this->folder/plugins"] as $path) {
                chown($path, 'rabbitmq');
            }
            array_unshift($command, 'setpriv', '--reuid=rabbitmq', '--regid=rabbitmq', '--clear-groups');
        }
        $environment = [
            'HOME' => $this->folder, 'RABBITMQ_NODENAME' => "stampede$this->port@localhost", 'RABBITMQ_MNESIA_BASE' => "$this->folder/mnesia",
            'RABBITMQ_LOG_BASE' => "$this->folder/log", 'RABBITMQ_LOGS' => '-', 'RABBITMQ_DIST_PORT' => (string) $distribution, 'RABBITMQ_CONFIG_FILE' => "$this->folder/rabbitmq.conf",
            'RABBITMQ_ENABLED_PLUGINS_FILE' => "$this->folder/plugins", 'RABBITMQ_PID_FILE' => "$this->folder/pid", 'RABBITMQ_CONF_ENV_FILE' => '/dev/null',
            'ERL_EPMD_PORT' => (string) $this->mapperPort, 'ERL_EPMD_ADDRESS' => '127.0.0.1',
        ];
        $log = ['file', "$this->folder/output", 'a'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $log, $log], $pipes, $this->folder, $environment + getenv());
        if ($process === false) {
            throw new \RuntimeException('RabbitMQ cannot be started.');
        }
        $this->process = $process;
        Started::add($this);
        $isReady = fn (): bool => !$this->isAlive() || str_contains((string) file_get_contents("$this->folder/output"), 'Server startup complete');
        if (!Server::until(self::TIME, $isReady) || !$this->isAlive()) {
            throw new \RuntimeException("RabbitMQ did not start:\n" . file_get_contents("$this->folder/output"));
        }
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
        proc_terminate($this->process);
        Server::until(self::TIME, fn (): bool => !$this->isAlive());
        proc_close($this->process);
        $this->process = null;
        // The name service of Erlang goes on by itself.
        exec("ERL_EPMD_PORT=$this->mapperPort epmd -kill 2>&1");
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    private function isAlive(): bool
    {
        return proc_get_status($this->process)['running'];
    }
}
