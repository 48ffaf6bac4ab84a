<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Web\Views;

/** @param list<array{id: string, name: string, created: int}> $tokens */
return static function (Views $views, array $tokens, Session $session, ?string $fresh, string $site): void {
    ?>
        <section class="narrow wide">
            <h1>Tokens</h1>
            <p>A program that has one reads and writes your notes. Give each its own, so that you can take it away again.</p>
            <?php if ($fresh !== null) { ?>
            <div class="fresh" role="status">
                <p>Copy it now, it is not shown again:</p>
                <p><code id="token"><?= $views->e($fresh) ?></code></p>
                <pre>curl <?= $views->e($site) ?>/api/notes -H 'Authorization: Bearer <?= $views->e($fresh) ?>'</pre>
            </div>
            <?php } ?>
            <ul class="tokens">
                <?php foreach ($tokens as $token) { ?>
                <li>
                    <span><?= $views->e($token['name']) ?> <small>since <?= date('j M Y', $token['created']) ?></small></span>
                    <form method="post" action="/tokens/<?= $token['id'] ?>/delete">
                        <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                        <button class="link">Delete</button>
                    </form>
                </li>
                <?php } ?>
            </ul>
            <form class="row" method="post" action="/tokens">
                <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                <label class="unseen" for="name">What it is for</label>
                <input id="name" name="name" placeholder="What it is for" required maxlength="60">
                <button class="button">Make a token</button>
            </form>
        </section>
<?php
};
