<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Notes\Note;
use Paddock\Notes\Notes;
use Paddock\Web\Views;

/** @param list<Note> $notes */
return static function (Views $views, array $notes, Session $session, int $version, bool $isOlder): void {
    ?>
        <h1 class="unseen">Notes</h1>
        <?php if ($isOlder) { ?>
        <p><a href="/">The newest notes</a></p>
        <?php } else { ?>
        <form id="compose" class="compose" method="post" action="/notes" enctype="multipart/form-data" data-live>
            <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
            <label class="unseen" for="text">A new note</label>
            <textarea id="text" name="text" rows="3" maxlength="<?= Notes::LONGEST ?>" placeholder="Write something down"></textarea>
            <div class="tools">
                <label class="attach"><input type="file" name="files[]" multiple> <span>Add files</span></label>
                <output id="live" class="live" data-state="off">Not live</output>
                <button class="button">Save</button>
            </div>
            <p id="problem" class="problem" role="alert" hidden></p>
        </form>
        <aside id="draft" class="note draft" aria-live="polite" hidden>
            <p class="from">Being written in another window</p>
            <p class="text"></p>
        </aside>
        <?php } ?>
        <div id="notes" class="notes"<?= $isOlder ? '' : " data-version=\"{$version}\"" ?>>
<?php foreach ($notes as $note) {
    echo $views->render('note', $note, $session);
} ?>
        </div>
        <p id="nothing" class="nothing"<?= $notes === [] ? '' : ' hidden' ?>>No notes yet. Open this page on another device, too: what you write here appears there.</p>
        <?php if (count($notes) === Notes::PAGE) { ?>
        <p class="more"><a href="/?before=<?= $notes[count($notes) - 1]->version ?>">Older notes</a></p>
        <?php } ?>
<?php
};
