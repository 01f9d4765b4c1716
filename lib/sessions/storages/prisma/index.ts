/**
 * Sessions behind a Prisma client of the app's own.
 * @module shopwright/sessions/prisma
 */
export {
  MissingSessionStorageError,
  MissingSessionTableError,
  SessionStorageError,
} from '../../sessions.errors.js';
export { PrismaSessionStorage } from './prisma-session.storage.js';
export type {
  PrismaSessionStorageInterface,
  PrismaSessionStorageOptions,
} from './prisma-session.storage.js';
