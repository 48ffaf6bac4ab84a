<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Notes\Note;
use Paddock\Notes\Notes;
use Paddock\Refusal;
use Psr\Http\Message\ResponseInterface;

/** The same for programs, in JSON. */
final readonly class Api
{
    public function __construct(private Notes $notes) {}

    public function addTo(Router $router): void
    {
        $router->add('GET', '/api/notes', Access::Program, $this->list(...));
        $router->add('POST', '/api/notes', Access::Program, fn (Visit $visit): ResponseInterface => Reply::json($this->notes->add($visit->user(), self::textOf($visit), $visit->uploads())->facts(), 201));
        $router->add('GET', '/api/notes/{id}', Access::Program, fn (Visit $visit): ResponseInterface => Reply::json($this->notes->get($visit->user(), $visit->parameter('id'))->facts()));
        $router->add('PUT', '/api/notes/{id}', Access::Program, fn (Visit $visit): ResponseInterface => Reply::json($this->notes->edit($visit->user(), $visit->parameter('id'), self::textOf($visit))->facts()));
        $router->add('DELETE', '/api/notes/{id}', Access::Program, $this->delete(...));
        $router->add('POST', '/api/notes/{id}/files', Access::Program, fn (Visit $visit): ResponseInterface => Reply::json($this->notes->attach($visit->user(), $visit->parameter('id'), $visit->uploads())->facts(), 201));
    }

    /** All from the newest on, page by page; with "since" what has changed after a version, in order. */
    private function list(Visit $visit): ResponseInterface
    {
        $notes = $visit->query('since') !== ''
            ? $this->notes->since($visit->user(), (int) $visit->query('since'))
            : $this->notes->page($visit->user(), (int) ($visit->query('before') ?: PHP_INT_MAX));
        return Reply::json(['notes' => array_map(static fn (Note $note): array => $note->facts(), $notes)]);
    }

    private function delete(Visit $visit): ResponseInterface
    {
        $this->notes->delete($visit->user(), $visit->parameter('id'));
        return Reply::nothing();
    }

    /** @throws Refusal */
    private static function textOf(Visit $visit): string
    {
        if (!str_starts_with($visit->request->getHeaderLine('Content-Type'), 'application/json')) {
            return $visit->field('text');
        }
        $data = json_decode((string) $visit->request->getBody(), true, 8);
        $text = is_array($data) ? $data['text'] ?? null : null;
        return is_string($text) ? $text : throw new Refusal('The body must be JSON with a text: {"text": "..."}.', 400);
    }
}
