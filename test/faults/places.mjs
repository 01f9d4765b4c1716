let places = 0;

/** A name that no other place of this run has. */
export function placeName() {
  return `faults_${++places}`;
}

/** The URL of another database of the same server, for another user if need be. */
export function databaseAt(url, name, user) {
  const changed = new URL(url);
  changed.pathname = name;
  if (user !== undefined) changed.username = user;
  return changed.href;
}
