// Runs inside a consumer's folder that holds `graphql`, as the child of a program that runs in
// another one: a simulated store for the app of that program. `node platform.mjs <app as JSON>`
// sends the store's origin, and ends when its parent does.
import { DevStore } from 'shopwright/dev-store';

const store = await DevStore.open({ apps: [JSON.parse(process.argv[2])] });
process.once('disconnect', () => void store.close());
process.send(store.shop().origin);
