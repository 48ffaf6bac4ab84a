<?php

/** @generate-function-entries */

/** The version of the API that is implemented. */
function swoole_version(): string {}
