<?php

declare(strict_types=1);

namespace Paddock\Web;

use Closure;
use Paddock\Accounts\Session;

/** Templates: files that return a function, which prints. They are loaded once in a worker. */
final class Views
{
    /** @var array<string, Closure> */
    private array $templates = [];

    public function __construct(private readonly string $folder) {}

    public function render(string $name, mixed ...$arguments): string
    {
        $template = $this->templates[$name] ??= (static fn (string $file): Closure => require $file)("{$this->folder}/{$name}.php");
        ob_start();
        try {
            $template($this, ...$arguments);
        } finally {
            $html = (string) ob_get_clean();
        }
        return $html;
    }

    /** A whole page around what a template prints. */
    public function page(string $title, Session $session, string $name, mixed ...$arguments): string
    {
        return $this->render('layout', $title, $session, $this->render($name, ...$arguments));
    }

    /** Text in HTML, also in attributes. */
    public function e(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5, 'UTF-8');
    }

    /** Text of a note: addresses in it can be followed. */
    public function linked(string $text): string
    {
        $parts = preg_split('~(https?://[^\s<>"\']+[^\s<>"\'.,;:!?)])~', $text, -1, PREG_SPLIT_DELIM_CAPTURE) ?: [$text];
        $html = '';
        foreach ($parts as $i => $part) {
            $html .= $i % 2 === 0 ? $this->e($part) : sprintf('<a href="%1$s" rel="noopener noreferrer nofollow">%1$s</a>', $this->e($part));
        }
        return $html;
    }
}
