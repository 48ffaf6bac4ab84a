<?php for ($until = microtime(true) + 20; microtime(true) < $until;); echo "spun";
