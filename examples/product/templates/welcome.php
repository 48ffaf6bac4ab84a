<?php

declare(strict_types=1);

use Paddock\Web\Views;

return static function (Views $views): void {
    ?>
        <section class="hero">
            <h1>Your notes, on all of your screens, <em>at once</em>.</h1>
            <p>Write on the phone, read on the laptop: what you save is there, and what you type shows while you type it.</p>
            <p><a class="button large" href="/register">Create an account</a> <a class="quiet" href="/login">or log in</a></p>
        </section>
        <ul class="points">
            <li><h2>Live</h2><p>Saved notes come over server-sent events, from where a window left off; drafts over a WebSocket.</p></li>
            <li><h2>With files</h2><p>Pictures are shown where they belong, everything else is kept with its name.</p></li>
            <li><h2>Open</h2><p>A JSON API with tokens of your own: <code>curl</code> is a client, too.</p></li>
        </ul>
<?php
};
