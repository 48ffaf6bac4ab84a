<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * What this process and all that it starts print from now on is a line of JSON for each line, on the outputs that they have now (stampede.log_messages).
 * @return int the descriptor of the standard error that there was; -1: nothing has changed
 */
function collect_output(): int {}

/** Lines that are objects of JSON go to the log (stampede.log_output), past what is collected. */
function write_log(string $lines): void {}

/** The access log of the server has no line for this request. */
function leave_unlogged(\Swoole\Http\Response $response): void {}

/** A parameter or field of this name, such as "password" or "X-Api-Key", has a value that no log and no page of errors shows. */
function is_secret_name(string $name): bool {}
