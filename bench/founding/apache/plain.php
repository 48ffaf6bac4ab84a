<?php

header('Content-Type: text/plain');
echo "a plain answer\n";
