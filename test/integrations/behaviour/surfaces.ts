import { All, Controller, HttpCode, Module, UseGuards } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import {
  AppProxyGuard,
  CheckoutGuard,
  CustomerAccountGuard,
  FlowGuard,
  FulfillmentServiceGuard,
  PosGuard,
} from '../../../lib/index.js';
import type { ReactRouterApp } from '../../../lib/integrations/react-router/index.js';
import type { RemixApp } from '../../../lib/integrations/remix/index.js';
import { HOSTS, openExpress, openNest, openReactRouter, openRemix } from '../../support/hosts.js';
import type { Host, HostOptions, RunningHost } from '../../support/hosts.js';

/** What the app answers wherever a request has been let in. */
const LET_IN = { in: true };

@Controller()
class SurfacesController {
  @All('proxy')
  @HttpCode(200)
  @UseGuards(AppProxyGuard)
  proxy(): object {
    return LET_IN;
  }

  @All('checkout')
  @HttpCode(200)
  @UseGuards(CheckoutGuard)
  checkout(): object {
    return LET_IN;
  }

  @All('account')
  @HttpCode(200)
  @UseGuards(CustomerAccountGuard)
  account(): object {
    return LET_IN;
  }

  @All('pos')
  @HttpCode(200)
  @UseGuards(PosGuard)
  pos(): object {
    return LET_IN;
  }

  @All('flow')
  @HttpCode(200)
  @UseGuards(FlowGuard)
  flow(): object {
    return LET_IN;
  }

  @All('service/fulfillment_order_notification')
  @HttpCode(200)
  @UseGuards(FulfillmentServiceGuard)
  fulfillment(): object {
    return LET_IN;
  }
}

@Module({})
class SurfacesModule {
  static for(): DynamicModule {
    return { module: SurfacesModule, controllers: [SurfacesController] };
  }
}

const onNest = (setup: HostOptions = {}): HostOptions => ({
  ...setup,
  modules: [...(setup.modules ?? []), SurfacesModule.for()],
});

/** The route of the app for each surface, as hosts of web requests have it. */
function routesOf(app: RemixApp | ReactRouterApp): Record<string, (request: Request) => unknown> {
  const { authenticate } = app;
  const pos = 'pos' in authenticate ? authenticate.pos : (app as RemixApp).authenticate.public.pos;
  return {
    '/proxy': (request) => authenticate.public.appProxy(request),
    '/checkout': (request) => authenticate.public.checkout(request),
    '/account': (request) => authenticate.public.customerAccount(request),
    '/pos': (request) => pos(request),
    '/flow': (request) => authenticate.flow(request),
    '/service/fulfillment_order_notification': (request) =>
      authenticate.fulfillmentService(request),
  };
}

async function webRoute(
  request: Request,
  app: RemixApp | ReactRouterApp,
): Promise<Response | undefined> {
  const route = routesOf(app)[new URL(request.url).pathname];
  if (!route) return undefined;
  const context = await route(request);
  const response = Response.json(LET_IN);
  const { cors } = context as { cors?: (response: Response) => Response };
  return cors ? cors(response) : response;
}

/** How each host is opened with a route for every surface. */
const OPEN: Readonly<Record<string, (setup?: HostOptions) => Promise<RunningHost>>> = {
  'Nest on Express': (setup) => openNest(new ExpressAdapter(), onNest(setup)),
  'Nest on Fastify': (setup) => openNest(new FastifyAdapter(), onNest(setup)),
  'plain Express': (setup) =>
    openExpress(setup, {
      after(app, shopify) {
        const routes = {
          '/proxy': shopify.validateAppProxy(),
          '/checkout': shopify.validateCheckout(),
          '/account': shopify.validateCustomerAccount(),
          '/pos': shopify.validatePos(),
          '/flow': shopify.validateFlow(),
          '/service/fulfillment_order_notification': shopify.validateFulfillmentService(),
        };
        for (const [path, handler] of Object.entries(routes))
          app.all(path, handler, (_req, res) => void res.json(LET_IN));
      },
    }),
  Remix: (setup) => openRemix(setup, webRoute),
  'React Router': (setup) => openReactRouter(setup, webRoute),
};

/** Every host, with a route of the app for every surface. */
export const SURFACE_HOSTS: readonly Host[] = HOSTS.map((host) => ({
  ...host,
  open: OPEN[host.name]!,
}));
