<?php usleep((int) ($_GET["us"] ?? 300_000)); echo "waited";
