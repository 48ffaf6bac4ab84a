<?php

declare(strict_types=1);

namespace Stampede\Top;

/** The terminal while a page fills it: keys come one by one, and it is as before afterwards, however the program ends. */
final class Terminal
{
    private const ENTER = "\e[?1049h\e[?25l";
    private const LEAVE = "\e[?25h\e[?1049l";
    private const KEYS = ["\e[A" => 'up', "\e[B" => 'down', "\e[5~" => 'page up', "\e[6~" => 'page down', "\eOA" => 'up', "\eOB" => 'down', "\e" => 'escape', "\n" => 'enter', "\r" => 'enter', "\x7f" => 'backspace', "\x08" => 'backspace', "\x03" => 'q', "\x04" => 'q'];

    private string $settings = '';
    private string $typed = ''; // and not taken yet

    public static function isThere(): bool
    {
        return stream_isatty(STDIN) && stream_isatty(STDOUT);
    }

    /** @return bool false when its settings cannot be changed */
    public function open(): bool
    {
        $this->settings = self::stty('-g');
        if ($this->settings === '') {
            return false;
        }
        self::stty('-icanon -echo -isig min 1 time 0');
        register_shutdown_function($this->close(...));
        pcntl_async_signals(true);
        foreach ([SIGTERM, SIGHUP, SIGINT] as $signal) {
            pcntl_signal($signal, static function () use ($signal): never {
                exit(128 + $signal);
            });
        }
        fwrite(STDOUT, self::ENTER);
        return true;
    }

    public function close(): void
    {
        if ($this->settings !== '') {
            self::stty(escapeshellarg($this->settings));
            $this->settings = '';
            fwrite(STDOUT, self::LEAVE);
        }
    }

    /** @return array{int, int} columns and lines */
    public function size(): array
    {
        [$lines, $columns] = array_map(intval(...), explode(' ', self::stty('size'))) + [0, 0];
        return [$columns > 0 ? $columns : 80, $lines > 0 ? $lines : 24];
    }

    /** @param list<string> $lines */
    public function show(array $lines): void
    {
        // Each line erases the rest of its own row, in place of clearing the screen, which would flicker.
        fwrite(STDOUT, "\e[H" . implode("\e[K\r\n", $lines) . "\e[K\e[J");
    }

    /** @return string|null a character, or a name of KEYS; null: none has come in this time */
    public function key(float $seconds): ?string
    {
        if ($this->typed === '') {
            [$read, $write, $except] = [[STDIN], null, null];
            $count = @stream_select($read, $write, $except, (int) $seconds, (int) (1e6 * fmod($seconds, 1.0)));
            if ($count === false || $count === 0) {
                return null;
            }
            $this->typed = (string) fread(STDIN, 1024);
        }
        foreach (self::KEYS as $bytes => $key) {
            if (str_starts_with($this->typed, $bytes)) {
                $this->typed = substr($this->typed, strlen($bytes));
                return $key;
            }
        }
        $character = substr($this->typed, 0, 1);
        $this->typed = substr($this->typed, 1);
        return $character === '' ? 'q' : $character; // the terminal has gone
    }

    private static function stty(string $arguments): string
    {
        return trim((string) shell_exec("stty {$arguments} </dev/tty 2>/dev/null"));
    }
}
