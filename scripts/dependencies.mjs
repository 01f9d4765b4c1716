/**
 * What the build takes into our own files, as far as we use it, instead of leaving it to an install:
 * to find and compile the whole package would be a tenth of what our import takes.
 */
export const JOINED = ['tslib', 'valibot'];

/** Files of others in the sources, which are no package here: what they are, and their licence. */
export const TAKEN = [
  {
    name: 'the GraphQL schemas of @shopify/dev-mcp',
    licence: 'lib/dev-store/graphql/schemas/LICENSE',
  },
];

/** Where `dist` has the licences of what is joined or taken. */
export const NOTICES = 'LICENSES-OF-OTHERS.txt';

/** What an install brings, joined or not, as a package.json or its lock declares it. */
export function shippedBy({ dependencies = {}, devDependencies = {} }) {
  const joined = JOINED.filter((name) => name in devDependencies);
  return {
    ...dependencies,
    ...Object.fromEntries(joined.map((name) => [name, devDependencies[name]])),
  };
}

/**
 * The packages of a lock file (the `packages` of a package-lock.json) that come with those of
 * `names`, and these themselves; what is optional and not locked is left out.
 * @throws when a package that is needed is not locked
 */
export function lockedTree(packages, names) {
  const paths = new Set(
    names.flatMap((name) => locate(packages, '', name) ?? missing(name, 'package.json')),
  );
  for (const path of paths) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = locate(packages, path, name);
      if (found) paths.add(found);
      else if (!(name in optionalDependencies)) missing(name, path);
    }
  }
  return [...paths].map((path) => ({
    ...packages[path],
    name: path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
  }));
}

const FOLDER = 'node_modules/';

/**
 * Where Node finds a package from the folder of another: in its own `node_modules`, or in that of a
 * folder above.
 */
function locate(packages, from, name) {
  const path = `${from && `${from}/`}${FOLDER}${name}`;
  if (path in packages) return path;
  return from
    ? locate(packages, from.slice(0, Math.max(0, from.lastIndexOf(`/${FOLDER}`))), name)
    : undefined;
}

function missing(name, asker) {
  throw new Error(`package-lock.json has no ${name}, which ${asker} asks for. Run npm install.`);
}
