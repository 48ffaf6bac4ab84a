<?php

declare(strict_types=1);

namespace Paddock\Notes;

use Paddock\Identifier;
use Paddock\Refusal;
use Psr\Http\Message\UploadedFileInterface;
use RuntimeException;

/**
 * Contents of uploaded files. On the disk they have names of our own, so that nothing of what a client sends becomes a path, and their
 * type is what they are, not what the client says.
 */
final readonly class Files
{
    public const MOST_BYTES = 8 << 20;

    private const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
    private const LONGEST_NAME = 120;

    public function __construct(private string $folder) {}

    /** @throws Refusal */
    public function keep(UploadedFileInterface $upload): File
    {
        $error = $upload->getError();
        if ($error === UPLOAD_ERR_INI_SIZE || $error === UPLOAD_ERR_FORM_SIZE || $upload->getSize() > self::MOST_BYTES) {
            throw new Refusal(sprintf('A file has at most %d MiB.', self::MOST_BYTES >> 20), 413);
        }
        if ($error !== UPLOAD_ERR_OK) {
            throw new Refusal('A file did not arrive whole: please send it again.');
        }
        $id = Identifier::fresh();
        $path = $this->pathOf($id);
        if (!is_dir(dirname($path)) && !@mkdir(dirname($path), 0700, true) && !is_dir(dirname($path))) {
            throw new RuntimeException('The folder ' . dirname($path) . ' cannot be made.');
        }
        $upload->moveTo($path);
        $image = (@getimagesize($path) ?: [])['mime'] ?? '';
        return new File($id, self::safeName((string) $upload->getClientFilename()), in_array($image, self::IMAGES, true) ? $image : File::OTHER, (int) filesize($path));
    }

    public function pathOf(string $id): string
    {
        return "{$this->folder}/" . bin2hex($id[0]) . "/{$id}"; // where a file system ignores case, too
    }

    /** @param list<File> $files */
    public function remove(array $files): void
    {
        foreach ($files as $file) {
            @unlink($this->pathOf($file->id));
        }
    }

    /** The last part of a path of any system, without what would disturb a header field or a page. */
    public static function safeName(string $given): string
    {
        $last = (string) preg_replace('~^.*[/\\\\]~s', '', mb_scrub($given, 'UTF-8'));
        $name = mb_substr(trim((string) preg_replace('/[\p{C}\s"]+/u', ' ', $last), ' .'), 0, self::LONGEST_NAME);
        return $name === '' ? 'file' : $name;
    }
}
