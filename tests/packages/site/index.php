<?php

echo 'Hello from ', PHP_SAPI, ' over ', $_SERVER['HTTPS'] ?? 'no TLS', "\n";
