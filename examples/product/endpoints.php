<?php

declare(strict_types=1);

$application = Paddock\Application::started();

return [
    'events' => ['/changes' => $application->changes->serve(...)],
    'websocket' => ['/drafts' => $application->drafts->serve(...)],
];
