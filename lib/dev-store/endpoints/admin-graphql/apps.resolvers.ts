import type { AppRegistry, RegisteredApp } from '../../base/app-registry.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { appHandle, appView, installationView, type AppShop } from './app.views.js';

/** The resolvers that look up apps and their installations, and uninstall the app of the call. */
export function appsRoot(shop: AppShop, call: ApiCall, apps: AppRegistry): Record<string, unknown> {
  const { apiKey } = call.token;
  const viewOf = (isWanted: (app: RegisteredApp) => boolean): object | null => {
    const app = apps.all().find(isWanted);
    return app ? appView(shop, app) : null;
  };
  return {
    appByHandle: ({ handle }: { handle: string }) => viewOf((app) => appHandle(app) === handle),
    appByKey: (args: { apiKey: string }) => viewOf((app) => app.apiKey === args.apiKey),
    appInstallation: ({ id }: { id?: string | null }) =>
      id == null || typedId('AppInstallation', id) === shop.id
        ? installationView(shop, apps.require(apiKey))
        : null,
    appInstallations: (args: ConnectionArgs, context: GraphqlContext) => {
      demandScope(call, 'appInstallations', 'read_apps');
      return connection(shop.installed.apps(), args, context, (app) =>
        Object(installationView(shop, app)),
      );
    },
    appUninstall: () => {
      const app = apps.require(apiKey);
      void shop.installed.uninstall(apiKey)();
      return { app: appView(shop, app), userErrors: [] };
    },
  };
}
