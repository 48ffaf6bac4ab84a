<?php

declare(strict_types=1);

namespace App\Controller;

use App\Entity\Product;
use App\Service\Step;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorageInterface;
use Twig\Environment;

final class Catalogue
{
    /** @param iterable<Step> $steps */
    public function __construct(private readonly EntityManagerInterface $entities, private readonly Environment $twig, private readonly TokenStorageInterface $tokens, private readonly iterable $steps)
    {
    }

    public function show(int $page): Response
    {
        $products = $this->entities->createQuery('SELECT product, category FROM ' . Product::class . ' product JOIN product.category category ORDER BY product.id')
            ->setFirstResult(($page - 1) * 20)->setMaxResults(20)->getResult();
        $sum = 0;
        foreach ($this->steps as $step) {
            $sum += $step->sum();
        }
        return new Response($this->twig->render('catalogue.html.twig', ['products' => $products, 'page' => $page, 'sum' => $sum, 'reader' => $this->tokens->getToken()?->getUserIdentifier()]));
    }
}
