<?php

declare(strict_types=1);

/*
 * Settings of one request in the next: a request changes every setting, and all that functions set for the process; the next one of the same worker finds what was there before.
 */

namespace Stampede\Tests\E2e;

final class launcher_settings_test extends EndToEndTest
{
    /** What PHP itself leaves to the next request of a process. */
    private const OF_PHP_FPM = ['mb_regex_set_options()' => 'xr', 'textdomain()' => 'other'];

    private const BACK_AT_ONCE = 20;

    public function testSequential(): void
    {
        $this->nextRequestFindsWhatWasThere('sequential');
    }

    public function testCoroutine(): void
    {
        $app = $this->nextRequestFindsWhatWasThere('coroutine');
        // "Set, do, set back" of requests that interleave.
        $peers = [];
        for ($i = 0; $i < self::BACK_AT_ONCE; $i++) {
            $peers[$i] = new Peer("tcp://127.0.0.1:{$app->port}");
            $peers[$i]->send(["GET /?back HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        }
        $seen = array_map(static fn (Peer $peer): string => Answer::all($peer->readToEnd(30.0), ['GET'])[0]->body ?? '', $peers);
        $this->same('each request has the level that it has set', ['[0,0,"0"]' => self::BACK_AT_ONCE], array_count_values($seen));
        $values = json_decode($app->ask('/')[2], true);
        $this->same('and leaves none', [E_ALL, (string) E_ALL], [$values['error_reporting()'], $values['setting error_reporting']]);
    }

    public function testProcess(): void
    {
        $this->nextRequestFindsWhatWasThere('process');
    }

    private function nextRequestFindsWhatWasThere(string $isolation): Application
    {
        $app = new Application('settings');
        $started = $app->serve(["--isolation=$isolation", '--env=prod', '--workers=1'], settings: ['error_reporting=' . E_ALL, 'zend.assertions=0']);
        if (!$this->check("$isolation: it starts", $started, $app->output())) {
            return $app;
        }
        $app->ask('/');
        $before = json_decode($app->ask('/')[2], true);
        $this->check("$isolation: many values are told", is_array($before) && count($before) > 200, $app->output());
        for ($i = 0; $i < 2; $i++) {
            $this->same("$isolation: all are changed", 'changed', $app->ask('/?set')[2]);
            $after = json_decode($app->ask('/')[2], true) ?? [];
            $changed = array_filter($before, static fn (mixed $value, string $name): bool => $value !== ($after[$name] ?? null), ARRAY_FILTER_USE_BOTH);
            $this->same("$isolation: the next request finds what was there", $isolation === 'process' ? self::OF_PHP_FPM : [], array_intersect_key($after, $changed));
        }
        $this->check("$isolation: by the same worker", !str_contains($app->output(), 'ended with') && !str_contains($app->output(), 'ended by signal'), $app->output());
        return $app;
    }
}
