import { mariadb } from './mariadb.mjs';
import { mongodb } from './mongodb.mjs';
import { postgres } from './postgres.mjs';
import { redis } from './redis.mjs';

/**
 * What tests run against. Each server knows its `id`, `name`, the environment `variable` that hands
 * its `url` to the tests, whether it `isOurs` to start, the Debian package it comes from, how it is
 * prepared and started, and how to see that it `answers`.
 */
export const SERVICES = [redis, postgres, mariadb, mongodb];
