<?php

declare(strict_types=1);

/** Templates in PHP within a layout. */
final class Page
{
    public function __construct(private readonly string $folder)
    {
    }

    /** @param array<string, mixed> $values */
    public function render(string $template, array $values): string
    {
        return $this->part('layout', $values + ['content' => $this->part($template, $values)]);
    }

    /** @param array<string, mixed> $values */
    private function part(string $template, array $values): string
    {
        $escape = static fn (string $text): string => htmlspecialchars($text, ENT_QUOTES);
        ob_start();
        try {
            extract($values);
            require "$this->folder/$template.php";
            return (string) ob_get_contents();
        } finally {
            ob_end_clean();
        }
    }
}
