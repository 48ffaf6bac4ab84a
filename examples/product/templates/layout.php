<?php

declare(strict_types=1);

use Paddock\Accounts\Session;
use Paddock\Web\Views;

return static function (Views $views, string $title, Session $session, string $content): void {
    ?>
<!doctype html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title><?= $views->e($title === 'Paddock' ? $title : "{$title} - Paddock") ?></title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
    <?php if ($session->user !== null) { ?><script src="/app.js" defer></script><?php } ?>

</head>
<body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
        <a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28"> Paddock</a>
        <nav aria-label="Account">
            <?php if ($session->user === null) { ?>
            <a href="/login">Log in</a>
            <a class="button" href="/register">Create an account</a>
            <?php } else { ?>
            <a class="who" href="/account"><?= $views->e($session->user->name) ?></a>
            <a href="/tokens">Tokens</a>
            <form method="post" action="/logout">
                <input type="hidden" name="form_token" value="<?= $session->formToken() ?>">
                <button class="link">Log out</button>
            </form>
            <?php } ?>
        </nav>
    </header>
    <main id="main">
<?= $content ?>
    </main>
</body>
</html>
<?php
};
