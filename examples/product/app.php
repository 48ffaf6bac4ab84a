<?php

declare(strict_types=1);

return Paddock\Application::started()->site;
