<?php

declare(strict_types=1);

namespace Paddock\Web;

/** Who may ask for a route, and how it is known who asks. */
enum Access
{
    case Anybody; // with a browser
    case Member; // with a browser, logged in
    case Program; // with a token
}
