<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Notes\Note;
use Paddock\Web\Views;

return static function (Views $views, Note $note, Session $session): void {
    $images = array_filter($note->files, static fn ($file): bool => $file->isImage());
    $others = array_filter($note->files, static fn ($file): bool => !$file->isImage());
    ?>
            <article class="note" id="note-<?= $note->id ?>" data-version="<?= $note->version ?>">
                <?php if ($images !== []) { ?>
                <div class="images">
                    <?php foreach ($images as $file) { ?>
                    <a href="/files/<?= $file->id ?>"><img src="/files/<?= $file->id ?>" alt="<?= $views->e($file->name) ?>"></a>
                    <?php } ?>
                </div>
                <?php } ?>
                <?php if ($note->text !== '') { ?>
                <p class="text"><?= $views->linked($note->text) ?></p>
                <?php } ?>
                <?php if ($others !== []) { ?>
                <ul class="files">
                    <?php foreach ($others as $file) { ?>
                    <li><a href="/files/<?= $file->id ?>" download><?= $views->e($file->name) ?></a> <small><?= $file->sizeForPeople() ?></small></li>
                    <?php } ?>
                </ul>
                <?php } ?>
                <footer>
                    <time datetime="<?= date(DATE_ATOM, $note->changed) ?>"><?= date('j M, H:i', $note->changed) ?></time>
                    <a href="/notes/<?= $note->id ?>">Edit</a>
                    <form method="post" action="/notes/<?= $note->id ?>/delete" data-live>
                        <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                        <button class="link">Delete</button>
                    </form>
                </footer>
            </article>
<?php
};
