<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\WaitGroup;
use Swoole\Timer;

$run = static fn (callable $work): callable => static fn () => Coroutine\run($work);

return [
    'create' => $run(static function (): void {
        for ($i = times(900000); $i > 0; $i--) {
            Coroutine::create(static fn () => null);
        }
    }),
    'switch' => $run(static function (): void {
        $other = Coroutine::create(static function (): void {
            for (;;) {
                Coroutine::yield();
            }
        });
        for ($i = times(4000000); $i > 0; $i--) {
            Coroutine::resume($other);
        }
        Coroutine::cancel($other);
    }),
    'sleepers' => $run(static function (): void {
        for ($i = times(20000); $i > 0; $i--) {
            Coroutine::create(static fn () => Coroutine::sleep(0.01 + $i % 10 / 1000));
        }
    }),
    'channel' => $run(static function (): void {
        $channel = new Channel(1);
        $count = times(3000000);
        Coroutine::create(static function () use ($channel, $count): void {
            for ($i = 0; $i < $count; $i++) {
                $channel->push($i);
            }
        });
        for ($i = 0; $i < $count; $i++) {
            $channel->pop();
        }
    }),
    'channel_with_limits' => $run(static function (): void {
        $channel = new Channel(10);
        $count = times(2000000);
        Coroutine::create(static function () use ($channel, $count): void {
            for ($i = 0; $i < $count; $i++) {
                $channel->push($i, 5);
            }
        });
        for ($i = 0; $i < $count; $i++) {
            $channel->pop(5);
        }
    }),
    'wait_group' => $run(static function (): void {
        for ($i = times(80000); $i > 0; $i--) {
            $group = new WaitGroup();
            for ($k = 0; $k < 10; $k++) {
                $group->add();
                Coroutine::create(static function () use ($group): void {
                    $group->done();
                });
            }
            $group->wait();
        }
    }),
    'cancel' => $run(static function (): void {
        for ($i = times(400000); $i > 0; $i--) {
            Coroutine::cancel(Coroutine::create(static fn () => Coroutine::sleep(10)));
        }
    }),
    'defer_and_context' => $run(static function (): void {
        for ($i = times(400000); $i > 0; $i--) {
            Coroutine::create(static function () use ($i): void {
                Coroutine::defer(static fn () => null);
                Coroutine::getContext()['number'] = $i;
            });
        }
    }),
    'exceptions' => $run(static function (): void {
        for ($i = times(400000); $i > 0; $i--) {
            Coroutine::create(static function (): void {
                try {
                    Coroutine::getCid() > 0 && throw new \RuntimeException('one');
                } catch (\RuntimeException) {
                }
            });
        }
    }),
    'batch' => $run(static function (): void {
        for ($i = times(30000); $i > 0; $i--) {
            Coroutine\batch([static fn () => 1, static fn () => 2, static fn () => Coroutine::sleep(0.0001)]);
        }
    }),
    'timers_once' => $run(static function (): void {
        for ($i = times(200000); $i > 0; $i--) {
            Timer::after(1 + $i % 20, static fn () => null);
        }
    }),
    'timers_cleared' => $run(static function (): void {
        for ($i = times(1500000); $i > 0; $i--) {
            Timer::clear(Timer::after(10000, static fn () => null));
        }
    }),
    'ticks' => $run(static function (): void {
        $left = times(200000);
        for ($i = 0; $i < 200; $i++) {
            Timer::tick(1, static function (int $id) use (&$left): void {
                if (--$left <= 0) {
                    Timer::clear($id);
                }
            });
        }
    }),
];
