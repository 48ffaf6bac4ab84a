<?php

/** @generate-function-entries */

/**
 * The client of the default server of remote objects, which is started when it is not there yet.
 * @throws Swoole\RemoteObject\Exception when that cannot be started
 */
function swoole_get_default_remote_object_client(): Swoole\RemoteObject\Client {}

/**
 * The folder of the sockets of default servers, and of the tokens of servers with a port. Only this user can enter it.
 * @throws Swoole\RemoteObject\Exception when there can be no such folder
 */
function swoole_get_default_remote_object_server_dir(): string {}

/**
 * Starts the default server of remote objects, once: for this process and those that are forked from it later. It ends with this process.
 * Library options: remote_object_server, the options of Swoole\RemoteObject\Server (without bootstrap it loads the autoloader of
 * Composer that this process uses), and remote_object_client.
 * @throws Swoole\RemoteObject\Exception when it cannot be started
 */
function swoole_init_default_remote_object_server(): void {}
