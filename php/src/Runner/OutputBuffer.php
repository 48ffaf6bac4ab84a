<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Stampede\WebRequest;
use Swoole\Http\Response;
use Throwable;

/**
 * What an application prints whose response is an object: it comes before the body of the response, as it does behind other web servers. What is
 * printed after the response, by shutdown functions, no client gets, as after fastcgi_finish_request(): it is a message of the log.
 */
final class OutputBuffer
{
    private const PIECE = 8192;

    private string $late = ''; // printed after the response
    private string $before = ''; // the body of the response
    private ?Response $client = null; // of a stream
    private ?Response $exited = null; // of an application that has exited: its shutdown functions may still print
    private bool $isDropped = false;

    /** For RequestScope::begin(). @return bool false when the client of a stream has left */
    public function take(string $data, bool $last): bool
    {
        if ($this->isDropped) {
            return true;
        }
        if ($this->client !== null) {
            return $data === '' ? $this->client->isWritable() : $this->client->write($data);
        }
        if ($this->exited !== null) {
            $this->before .= $data;
            $last && $this->sendPrinted($this->exited);
            return true;
        }
        $this->late .= $data;
        $last && self::log($this->late);
        return true;
    }

    private function sendPrinted(Response $to): void
    {
        $this->exited = null;
        (new NativeHeaders($to))->send($this->before(), true);
    }

    /** As one message, whatever is in it. */
    private static function log(string $printed): void
    {
        if ($printed !== '') {
            error_log('Printed after the response: ' . substr($printed, 0, self::PIECE));
        }
    }

    /**
     * Gives the client what a function prints, in pieces, and at once what it flushes. The function ends by exit, or when its client has left,
     * as a script does. When it throws, what has not left yet never does: the response must not look like the whole with a part of it gone, and
     * else there is still time for a page of errors.
     *
     * @param bool $atOnce whether nothing is to wait for a flush
     */
    public function stream(Closure $function, Response $to, bool $atOnce): void
    {
        $this->client = $to;
        ob_start(null, $atOnce ? 1 : self::PIECE);
        ob_implicit_flush($atOnce);
        $level = ob_get_level();
        $before = $this->before();
        try {
            WebRequest::call(static function () use ($before, $function): void {
                echo $before;
                $function();
            });
            while (ob_get_level() >= $level && ob_end_flush()) {
            }
            flush();
        } catch (Throwable $failure) {
            $this->isDropped = true;
            while (ob_get_level() >= $level && ob_end_clean()) {
            }
            throw $failure;
        } finally {
            $this->client = null;
            ob_implicit_flush(false);
        }
        $to->end();
    }

    /**
     * Has the application make its response. What it prints meanwhile is kept: header fields can be set, and sessions begun, whatever was printed.
     * Where it exits, the response is what it has printed, as it is behind other web servers: it is sent when its shutdown functions have run.
     *
     * @template T of object
     * @param Closure(): (T|null) $application that gives null when it has printed its response
     * @return T|null null: it has exited
     */
    public function respond(Closure $application, Response $response): ?object
    {
        $level = ob_get_level();
        WebRequest::hold();
        // What has left all buffers makes PHP take the header for sent, so nothing leaves this one but to us.
        ob_start(function (string $data): string {
            $this->before .= $data;
            return '';
        });
        try {
            $given = WebRequest::call($application);
            while (ob_get_level() > $level && ob_end_flush()) {
            }
        } finally {
            $this->before .= WebRequest::release(); // printed by an application that has closed all buffers
        }
        if ($given === null) {
            flush(); // the header is complete then
            $this->exited = $response;
        }
        return $given;
    }

    /** What comes before the body: it is taken, and the caller sends it. */
    public function before(): string
    {
        $before = $this->before;
        $this->before = '';
        return $before;
    }

    public function hasBefore(): bool
    {
        return $this->before !== '';
    }

    /** What no response had room for. */
    public function __destruct()
    {
        self::log($this->before);
    }
}
