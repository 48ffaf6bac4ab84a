<?php

declare(strict_types=1);

/* Serves examples/function where each request begins anew: it makes a PSR-7 request of what PHP knows of it, and sends the response. */

use Nyholm\Psr7\ServerRequest;

$folder = dirname(__DIR__);
require "$folder/vendor/autoload.php";
$request = new ServerRequest($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], getallheaders(), null, '1.1', $_SERVER);
$response = (require "$folder/app.php")($request->withQueryParams($_GET)->withCookieParams($_COOKIE));
http_response_code($response->getStatusCode());
foreach ($response->getHeaders() as $name => $values) {
    foreach ($values as $value) {
        header("$name: $value", false);
    }
}
echo $response->getBody();
