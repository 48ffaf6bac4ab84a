<?php

declare(strict_types=1);

namespace App\Entity;

use Doctrine\ORM\Mapping as ORM;

#[ORM\Entity]
#[ORM\Table(name: 'products')]
class Product
{
    #[ORM\Id]
    #[ORM\Column]
    public int $id;

    #[ORM\Column(length: 100)]
    public string $name;

    #[ORM\Column]
    public float $price;

    #[ORM\ManyToOne(targetEntity: Category::class)]
    public Category $category;
}
