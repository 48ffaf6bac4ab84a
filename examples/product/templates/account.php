<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Web\Views;

return static function (Views $views, string $form, string $title, Session $session, string $name, ?string $problem): void {
    $isNew = $form === 'register';
    ?>
        <section class="narrow">
            <h1><?= $views->e($title) ?></h1>
            <?php if ($problem !== null) { ?>
            <p class="problem" role="alert"><?= $views->e($problem) ?></p>
            <?php } ?>
            <form class="stack" method="post" action="/<?= $form ?>">
                <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                <label>Name
                    <input name="name" value="<?= $views->e($name) ?>" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="32" autofocus>
                </label>
                <label>Password
                    <input name="password" type="password" autocomplete="<?= $isNew ? 'new-password' : 'current-password' ?>" required maxlength="72"<?= $isNew ? ' minlength="10" aria-describedby="hint"' : '' ?>>
                </label>
                <?php if ($isNew) { ?>
                <p id="hint" class="hint">At least 10 characters. A short sentence is easy to keep in mind.</p>
                <?php } ?>
                <button class="button"><?= $views->e($title) ?></button>
            </form>
            <p><?= $isNew ? 'There is one already? <a href="/login">Log in</a>' : 'New here? <a href="/register">Create an account</a>' ?></p>
        </section>
<?php
};
