<?php

/** @generate-function-entries */

/**
 * Names that clients in coroutines connect to are looked for by this resolver, after those that were added before, and before the
 * name servers are asked. For this process, and those that are forked from it later.
 * @return bool false when it is there already
 */
function swoole_name_resolver_add(Swoole\NameResolver $ns): bool {}

/** @return bool false when it was not there */
function swoole_name_resolver_remove(Swoole\NameResolver $ns): bool {}

/**
 * A node of the service, or an address of the host when no resolver knows the name. Called again with the same context it gives the
 * next node.
 * @return string "" when there is none, or no further one
 * @throws Swoole\NameResolver\Exception when a registry cannot be asked
 */
function swoole_name_resolver_lookup(string $name, Swoole\NameResolver\Context $ctx): string {}
