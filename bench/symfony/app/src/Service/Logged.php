<?php

declare(strict_types=1);

namespace App\Service;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/** Marks each response. */
final class Logged implements EventSubscriberInterface
{
    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::RESPONSE => 'mark'];
    }

    public function mark(ResponseEvent $event): void
    {
        $event->getResponse()->headers->set('X-Application', 'catalogue');
    }
}
