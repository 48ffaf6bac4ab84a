<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Notes\Notes;
use Psr\Http\Message\ResponseInterface;

/** The page of all notes, and the page on which one is edited. */
final readonly class NotePages
{
    public function __construct(private Notes $notes, private Views $views) {}

    public function addTo(Router $router): void
    {
        $router->add('GET', '/', Access::Anybody, $this->show(...));
        $router->add('POST', '/notes', Access::Member, $this->add(...));
        $router->add('GET', '/notes/{id}', Access::Member, $this->edit(...));
        $router->add('POST', '/notes/{id}', Access::Member, $this->save(...));
        $router->add('POST', '/notes/{id}/delete', Access::Member, $this->delete(...));
    }

    private function show(Visit $visit): ResponseInterface
    {
        if (!$visit->isMember()) {
            return Reply::page($this->views->page('Paddock', $visit->session, 'welcome'));
        }
        // The version first: what changes in between comes once more, as an event.
        $version = $this->notes->version($visit->user());
        $before = (int) ($visit->query('before') ?: PHP_INT_MAX);
        $notes = $this->notes->page($visit->user(), $before);
        return Reply::page($this->views->page('Notes', $visit->session, 'notes', $notes, $visit->session, $version, $before !== PHP_INT_MAX));
    }

    private function add(Visit $visit): ResponseInterface
    {
        $note = $this->notes->add($visit->user(), $visit->field('text'), $visit->uploads());
        return $visit->wantsJson() ? Reply::json($note->facts(), 201) : Reply::to('/');
    }

    private function edit(Visit $visit): ResponseInterface
    {
        $note = $this->notes->get($visit->user(), $visit->parameter('id'));
        return Reply::page($this->views->page('Edit a note', $visit->session, 'edit', $note, $visit->session));
    }

    private function save(Visit $visit): ResponseInterface
    {
        $note = $this->notes->edit($visit->user(), $visit->parameter('id'), $visit->field('text'));
        if ($visit->uploads() !== []) {
            $this->notes->attach($visit->user(), $note->id, $visit->uploads());
        }
        return Reply::to("/#note-{$note->id}");
    }

    private function delete(Visit $visit): ResponseInterface
    {
        $this->notes->delete($visit->user(), $visit->parameter('id'));
        return $visit->wantsJson() ? Reply::nothing() : Reply::to('/');
    }
}
