<?php
use App\Kernel;
require_once dirname(__DIR__).'/vendor/autoload_runtime.php';
if (isset($_SERVER['TEST_SENTRY'])) {
    App\SentryAgent::observe($_SERVER['TEST_SENTRY']);
}
return function (array $context) {
    return new Kernel($context['APP_ENV'], (bool) $context['APP_DEBUG']);
};
