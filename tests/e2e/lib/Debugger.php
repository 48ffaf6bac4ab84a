<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** The side of an editor that speaks DBGp: a program under Xdebug connects to it and does what it says. */
final class Debugger
{
    /** @var resource */
    private $listener;
    /** @var resource */
    private $connection;
    /** @var resource */
    private $process;
    private string $log;
    private int $transaction = 0;

    /** @param list<string> $command */
    public function __construct(array $command, private readonly float $seconds = 20.0)
    {
        $this->listener = stream_socket_server('tcp://127.0.0.1:0');
        $port = substr(strrchr(stream_socket_get_name($this->listener, false), ':'), 1);
        $this->log = tempnam(sys_get_temp_dir(), 'stampede-e2e-');
        $output = ['file', $this->log, 'a'];
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], $output, $output], $pipes, null,
            ['XDEBUG_CONFIG' => "client_port=$port client_host=127.0.0.1"] + getenv());
        $connection = @stream_socket_accept($this->listener, $this->seconds);
        if ($connection === false) {
            throw new \RuntimeException('the program did not connect: ' . file_get_contents($this->log));
        }
        $this->connection = $connection;
        stream_set_timeout($this->connection, (int) $this->seconds);
        $this->read();  // its greeting
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        unlink($this->log);
    }

    /** The answer to one command. */
    public function ask(string $command, string $arguments = ''): \SimpleXMLElement
    {
        $transaction = ++$this->transaction;
        fwrite($this->connection, trim("$command -i $transaction $arguments") . "\0");
        do {
            $answer = $this->read();
        } while ((int) $answer['transaction_id'] !== $transaction);
        return $answer;
    }

    /** Goes on and says where it stopped: "break 12", or "stopping". */
    public function goOn(string $command): string
    {
        $answer = $this->ask($command);
        $message = $answer->children('https://xdebug.org/dbgp/xdebug')->message;
        $line = isset($message[0]) ? (string) $message[0]->attributes()['lineno'] : '';
        return trim($answer['status'] . ' ' . $line);
    }

    /** The value of a variable where it stopped. */
    public function value(string $name): ?string
    {
        $property = $this->ask('property_get', "-n $name")->property;
        return isset($property[0]) ? (string) base64_decode((string) $property[0]) : null;
    }

    /** @return list<string> the functions on the stack, innermost first */
    public function stack(): array
    {
        $functions = [];
        foreach ($this->ask('stack_get')->stack as $frame) {
            $functions[] = (string) $frame['where'];
        }
        return $functions;
    }

    /** Waits for the end. @return array{int, string} status and output */
    public function end(): array
    {
        fwrite($this->connection, 'run -i ' . ++$this->transaction . "\0");
        $status = ['running' => true, 'exitcode' => -1];
        Server::until($this->seconds, function () use (&$status): bool {
            $status = proc_get_status($this->process);
            return !$status['running'];
        });
        return [$status['exitcode'], (string) file_get_contents($this->log)];
    }

    private function read(): \SimpleXMLElement
    {
        $length = stream_get_line($this->connection, 32, "\0");
        if ($length === false || !ctype_digit($length)) {
            throw new \RuntimeException('the debugged program said nothing more: ' . file_get_contents($this->log));
        }
        $bytes = (string) stream_get_contents($this->connection, (int) $length);
        fread($this->connection, 1);
        return new \SimpleXMLElement($bytes);
    }
}
