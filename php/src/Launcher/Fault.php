<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Swoole\Table;

/** Why the newest code of the application is not served, for all processes of the server: in shared memory. */
final class Fault
{
    private const MOST = 16384; // bytes of a text
    private const ROW = 'newest';

    private readonly Table $table;

    public function __construct()
    {
        $this->table = new Table(8);
        $this->table->column('text', Table::TYPE_STRING, self::MOST);
        $this->table->create();
        $this->clear();
    }

    public function set(string $text): void
    {
        $this->table->set(self::ROW, ['text' => substr($text, 0, self::MOST)]);
    }

    public function clear(): void
    {
        $this->set('');
    }

    /** Empty when there is none. */
    public function text(): string
    {
        $text = $this->table->get(self::ROW, 'text');
        return is_string($text) ? $text : '';
    }
}
