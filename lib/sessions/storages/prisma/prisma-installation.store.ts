import {
  InstallationStore,
  parseInstallation,
  serializeInstallation,
} from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import { explained } from './prisma.errors.js';
import { isFirst } from './prisma.lock.js';
import { keyOf } from './prisma-models.js';
import type { PrismaModel } from './prisma-models.js';

/** Keeps each record as a row: its text beside its version. */
export class PrismaInstallationStore extends InstallationStore {
  constructor(private readonly model: PrismaModel) {
    super();
  }

  load(app: string, shop: string): Promise<Installation | undefined> {
    return explained('load an installation', async () => {
      const row = await this.model.findUnique({ where: { id: keyOf(app, shop) } });
      return row ? parseInstallation(String(row['record'])) : undefined;
    });
  }

  save(installation: Installation): Promise<boolean> {
    const { app, shop, version } = installation;
    const id = keyOf(app, shop);
    const record = serializeInstallation(installation);
    return explained('save an installation', async () => {
      if (version === 1)
        return isFirst(this.model.create({ data: { id, app, shop, version, record } }));
      return (
        (
          await this.model.updateMany({
            where: { id, version: version - 1 },
            data: { version, record },
          })
        ).count === 1
      );
    });
  }
}
