<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Notes\Files;
use Paddock\Notes\Notes;
use Psr\Http\Message\ResponseInterface;

/** Files of one's own notes. */
final readonly class FilePages
{
    public function __construct(private Notes $notes, private Files $files) {}

    public function addTo(Router $router): void
    {
        $router->add('GET', '/files/{id}', Access::Member, $this->send(...));
        $router->add('GET', '/api/files/{id}', Access::Program, $this->send(...));
    }

    private function send(Visit $visit): ResponseInterface
    {
        $file = $this->notes->file($visit->user(), $visit->parameter('id'));
        return Reply::file($file, $this->files->pathOf($file->id));
    }
}
