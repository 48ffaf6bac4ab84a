<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use Swoole\Table;

/** Why the newest code of the application is not served, for all processes of the server: in shared memory. */
final class BootFailure
{
    private const PIECE = 512; // bytes of a row: the memory of a table is there at once, and a table has more rows than it is asked for
    private const MOST = 32; // pieces of a text
    private const HEAD = 'newest';
    private const TRIES = 100;

    private readonly Table $table;

    public function __construct()
    {
        $this->table = new Table(self::MOST + 1);
        $this->table->column('text', Table::TYPE_STRING, self::PIECE);
        $this->table->column('number', Table::TYPE_INT); // of the text
        $this->table->column('length', Table::TYPE_INT);
        $this->table->create();
        $this->clear();
    }

    public function set(string $text): void
    {
        $text = substr($text, 0, self::MOST * self::PIECE);
        $number = (int) $this->table->get(self::HEAD, 'number') + 1;
        foreach (str_split($text, self::PIECE) as $at => $piece) {
            $this->table->set((string) $at, ['text' => $piece, 'number' => $number]);
        }
        $this->table->set(self::HEAD, ['number' => $number, 'length' => strlen($text)]);
    }

    public function clear(): void
    {
        $this->set('');
    }

    /** Empty when there is none. */
    public function text(): string
    {
        for ($try = 0; $try < self::TRIES; $try++) { // while another process writes
            $head = $this->table->get(self::HEAD);
            $text = is_array($head) ? $this->joined($head['number'], $head['length']) : '';
            if ($text !== null) {
                return $text;
            }
        }
        return '';
    }

    /** @return string|null null when its rows hold a newer text by now */
    private function joined(int $number, int $length): ?string
    {
        $text = '';
        for ($at = 0; strlen($text) < $length; $at++) {
            $row = $this->table->get((string) $at);
            if (!is_array($row) || $row['number'] !== $number) {
                return null;
            }
            $text .= $row['text'];
        }
        return $text;
    }
}
