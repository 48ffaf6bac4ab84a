<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Notes\Note;
use Paddock\Notes\Notes;
use Paddock\Web\Views;

return static function (Views $views, Note $note, Session $session): void {
    ?>
        <section class="narrow wide">
            <h1>Edit a note</h1>
            <form class="stack" method="post" action="/notes/<?= $note->id ?>" enctype="multipart/form-data">
                <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                <label>Text
                    <textarea name="text" rows="12" maxlength="<?= Notes::LONGEST ?>" autofocus><?= "\n" . $views->e($note->text) ?></textarea>
                </label>
                <label class="attach"><input type="file" name="files[]" multiple> <span>Add files</span></label>
                <p class="row"><button class="button">Save</button> <a class="quiet" href="/#note-<?= $note->id ?>">Cancel</a></p>
            </form>
        </section>
<?php
};
