<?php

/** @generate-function-entries */

/** False when the suffix is known already. */
function swoole_mime_type_add(string $suffix, string $mime_type): bool {}

function swoole_mime_type_set(string $suffix, string $mime_type): void {}

/** False when the suffix is not known. */
function swoole_mime_type_delete(string $suffix): bool {}

/** The media type of a file name, application/octet-stream when unknown. */
function swoole_mime_type_get(string $filename): string {}

/** @alias swoole_mime_type_get */
function swoole_get_mime_type(string $filename): string {}

function swoole_mime_type_exists(string $filename): bool {}

/** All media types by suffix. */
function swoole_mime_type_list(): array {}
