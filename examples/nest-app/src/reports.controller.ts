import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import {
  AdminApi,
  AuthenticatedSessionGuard,
  BillingService,
  CurrentSession,
  PlatformConfig,
  RequiresPlan,
} from 'shopwright';
import type { AdminContext, Session } from 'shopwright';

import { reportPage } from './report.page.js';

@Controller()
export class ReportsController {
  constructor(
    private readonly billing: BillingService,
    private readonly config: PlatformConfig,
  ) {}

  /**
   * A page for shops that pay. All others are led to where they can, and come back here once they
   * have approved.
   */
  @Get('reports')
  @RequiresPlan('Pro')
  @Header('content-type', 'text/html; charset=utf-8')
  async report(
    @CurrentSession() { shop }: Session,
    @AdminApi() admin: AdminContext,
  ): Promise<string> {
    const { data } = await admin.graphql<
      Record<'active' | 'draft' | 'archived', { count: number }>
    >(`#graphql
      query CountProducts {
        active: productsCount(query: "status:active") { count }
        draft: productsCount(query: "status:draft") { count }
        archived: productsCount(query: "status:archived") { count }
      }`);
    const counts = Object.entries(data).map(([status, { count }]) => [status, count] as const);
    const { apiKey } = this.config;
    return reportPage({ apiKey, appBridge: this.config.appBridgeUrl(shop), shop, counts });
  }

  /** Which plan the shop pays for, if any. */
  @Get('api/plan')
  @UseGuards(AuthenticatedSessionGuard)
  async plan(@CurrentSession() session: Session): Promise<{ plan: string | null }> {
    const { appSubscriptions } = await this.billing.check({ session, returnObject: true });
    return { plan: appSubscriptions[0]?.name ?? null };
  }
}
