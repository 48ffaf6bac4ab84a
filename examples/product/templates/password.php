<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Web\Views;

return static function (Views $views, Session $session, ?string $problem): void {
    ?>
        <section class="narrow">
            <h1>Another password</h1>
            <p>It logs you out everywhere else. Tokens stay: <a href="/tokens">delete them</a> by themselves.</p>
            <?php if ($problem !== null) { ?>
            <p class="problem" role="alert"><?= $views->e($problem) ?></p>
            <?php } ?>
            <form class="stack" method="post" action="/account">
                <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                <label>Present password
                    <input name="present" type="password" autocomplete="current-password" required maxlength="72">
                </label>
                <label>New password
                    <input name="next" type="password" autocomplete="new-password" required minlength="10" maxlength="72">
                </label>
                <button class="button">Change it</button>
            </form>
        </section>
<?php
};
