<?php

declare(strict_types=1);

namespace App;

use Closure;
use Sentry\ClientBuilder;
use Sentry\State\Hub;
use Sentry\State\HubInterface;
use Sentry\State\Scope;
use Stampede\Request\RequestEnd;
use Stampede\Request\RequestLifecycle;
use Swoole\Coroutine;
use Swoole\Http\Request;

/** One hub of Sentry for each request, as docs/user/traces.md has it. */
final class SentryAgent
{
    public static function observe(string $dsn): void
    {
        $client = ClientBuilder::create(['dsn' => $dsn, 'default_integrations' => false, 'http_connect_timeout' => 30, 'http_timeout' => 30])->getClient();
        RequestLifecycle::observe(static function (Request $request) use ($client): Closure {
            $hub = new Hub($client);
            Coroutine::getContext()['sentry'] = $hub; // for the application's own messages
            return static function (RequestEnd $end) use ($hub, $client): void {
                if ($end->failure !== null) {
                    $hub->captureException($end->failure);
                }
                $client->flush();
            };
        });
    }

    public static function tag(string $value): void
    {
        $hub = Coroutine::getContext()['sentry'] ?? null;
        $hub instanceof HubInterface && $hub->configureScope(static fn (Scope $scope) => $scope->setTag('request', $value));
    }
}
