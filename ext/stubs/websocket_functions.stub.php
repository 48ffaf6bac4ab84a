<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * The WebSocket connection of a response (Response::upgrade()) is not closed when its worker leaves, but by the application; max_wait_time is the
 * limit. False when the response is no WebSocket connection.
 */
function keep_websocket(\Swoole\Http\Response $response): bool {}
