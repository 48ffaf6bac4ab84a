<?php

declare(strict_types=1);

namespace Stampede\Application;

/** Applications that are known by name; what is known of each is its row of Profiles. */
enum ApplicationType: string
{
    // The order in which a folder is compared with them: what contains another one's marks comes first.
    case October = 'october';
    case Statamic = 'statamic';
    case Laravel = 'laravel';
    case Drupal = 'drupal';
    case Typo3 = 'typo3';
    case Craft = 'craft';
    case Magento = 'magento';
    case Bedrock = 'bedrock';
    case Nextcloud = 'nextcloud';
    case PhpMyAdmin = 'phpmyadmin';
    case MediaWiki = 'mediawiki';
    case Joomla = 'joomla';
    case Grav = 'grav';
    case Kirby = 'kirby';
    case WordPress = 'wordpress';
    case Backdrop = 'backdrop';
    case DokuWiki = 'dokuwiki';
    case FreshRss = 'freshrss';
    case Adminer = 'adminer';
    case Symfony = 'symfony';
    case CakePhp = 'cakephp';
    case CodeIgniter = 'codeigniter';
    case Yii = 'yii';
    case Psr15 = 'psr15';
    case Mezzio = 'mezzio';
    case Laminas = 'laminas';
    case Slim = 'slim';
    case Plain = 'plain';
    case Scripts = 'scripts';

    /** What stands for a kind that the user has named. */
    public static function of(ApplicationKind $kind): self
    {
        return match ($kind) {
            ApplicationKind::Symfony => self::Symfony,
            ApplicationKind::Laravel => self::Laravel,
            ApplicationKind::Psr15 => self::Psr15,
            ApplicationKind::Plain => self::Plain,
        };
    }

    public function profile(): Profile
    {
        return Profiles::of($this);
    }

    /** Its kind, which decides about the isolation that is its default. */
    public function kind(): ApplicationKind
    {
        return $this->profile()->kind;
    }

    /** With its article: what the application is called in sentences. */
    public function title(): string
    {
        return match ($this) {
            self::Plain, self::Psr15 => $this->kind()->title(),
            default => $this->profile()->title,
        };
    }
}
