/** The app under test, as the platform knows it. */
export const APP = {
  apiKey: 'faults-api-key',
  apiSecretKey: 'faults-api-secret-0123456789',
  appUrl: 'https://app.example.com',
};
export const SCOPES = ['write_products'];

/** Where the storage of an engine is found, and what its class is called. */
export const STORAGES = {
  sqlite: ['shopwright/sessions/sqlite', 'SqliteSessionStorage'],
  redis: ['shopwright/sessions/redis', 'RedisSessionStorage'],
  postgres: ['shopwright/sessions/postgresql', 'PostgreSQLSessionStorage'],
  mysql: ['shopwright/sessions/mysql', 'MySQLSessionStorage'],
  mongodb: ['shopwright/sessions/mongodb', 'MongoDBSessionStorage'],
};

/** Opens the storage of a place: `{ engine, parameters }`. */
export async function openStorage({ engine, parameters }) {
  const [subpath, name] = STORAGES[engine];
  const { [name]: Storage } = await import(subpath);
  return new Storage(...parameters);
}
