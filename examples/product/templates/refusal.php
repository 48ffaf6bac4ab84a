<?php

declare(strict_types=1);

use Paddock\Refusal;
use Paddock\Web\Views;

return static function (Views $views, Refusal $refusal): void {
    ?>
        <section class="narrow">
            <p class="status"><?= $refusal->status ?></p>
            <h1><?= $views->e($refusal->getMessage()) ?></h1>
            <p><a href="/">Back to the notes</a></p>
        </section>
<?php
};
