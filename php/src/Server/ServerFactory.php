<?php

declare(strict_types=1);

namespace Stampede\Server;

use Closure;
use Stampede\Acme\PageProof;
use Stampede\Config\ListenAddress;
use Stampede\Config\Suggestion;
use Stampede\Exception\ConfigurationException;
use Stampede\Https\HttpsSettings;
use Stampede\Https\Redirect;
use Swoole\Exception;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Server\Helper;
use Swoole\Server\Port;

/** Makes the server, with a port for each address. */
final readonly class ServerFactory
{
    public function __construct(private ServedApplication $application) {}

    /** @throws ConfigurationException when an address or a setting cannot be used */
    public function create(): Server
    {
        [$first] = $this->application->addresses ?: throw new ConfigurationException('The option "listen" names no address.');
        try {
            $server = new Server($first->host, $first->port, SWOOLE_PROCESS, $first->socketType());
        } catch (Exception $exception) {
            throw new ConfigurationException("{$first->name()} cannot be listened on: {$exception->getMessage()}. Choose another with --listen.");
        }
        foreach (array_slice($this->application->addresses, 1) as $address) {
            self::listen($server, $address, 'listen');
        }
        foreach ($this->application->addressesOfWorkers as $worker => $address) {
            self::listen($server, $address, 'worker-listen')->set(['only_worker' => $worker]);
        }
        $settings = (new ServerSettings($this->application))->all();
        self::refuseWarnings(static fn () => $server->set($settings));
        if ($this->application->https !== null) {
            $this->secure($server, $this->application->https);
        }
        return $server;
    }

    private static function listen(Server $server, ListenAddress $address, string $option): Port
    {
        $port = @$server->listen($address->host, $address->port, $address->socketType());
        if ($port === false) {
            throw new ConfigurationException("{$address->name()} cannot be listened on: " . (error_get_last()['message'] ?? 'unknown reason') . ". Choose another with --{$option}.");
        }
        return $port;
    }

    private function secure(Server $server, HttpsSettings $https): void
    {
        foreach ($this->application->addresses as $i => $address) {
            if ($address->isSecure) {
                self::refuseWarnings(static fn () => $server->ports[$i]->set($https->settings()));
            }
        }
        $proof = $https->proof instanceof PageProof ? $https->proof : null;
        foreach ($https->redirected as $address) {
            $port = self::listen($server, $address, 'redirect');
            $port->set(['enable_static_handler' => false]);
            $port->on('request', function (Request $request, Response $response) use ($server, $proof): void {
                if ($proof?->handle($request, $response) === true) {
                    return;
                }
                $this->redirect($server)->handle($request, $response);
            });
        }
    }

    private function redirect(Server $server): Redirect
    {
        $secure = array_filter($this->application->addresses, static fn (ListenAddress $address): bool => $address->isSecure);
        return new Redirect($this->application->options->text('server-name'), $server->ports[array_key_first($secure)]->port);
    }

    /** A setting that would be passed over with a warning is the user's mistake. @param Closure(): mixed $set sets settings of the server or of a port */
    private static function refuseWarnings(Closure $set): void
    {
        $known = array_keys(Helper::SERVER_OPTIONS + Helper::PORT_OPTIONS + Helper::GLOBAL_OPTIONS);
        set_error_handler(static function (int $number, string $text) use ($known): never {
            $text = (string) preg_replace('/^\S+\(\): |: (it keeps its value|\d+ is used)$/', '', $text);
            $unknown = preg_match('/^unsupported option \[(.*)\]$/s', $text, $found) === 1;
            throw new ConfigurationException($unknown
                ? "The option \"server\" has a setting \"{$found[1]}\" that does not exist" . Suggestion::for($found[1], $known) . '.'
                : "The settings of the server cannot be used: {$text}.");
        });
        try {
            $set();
        } finally {
            restore_error_handler();
        }
    }
}
