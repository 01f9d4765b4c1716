import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { AuthenticatedSessionGuard, CurrentSession, PlatformConfig } from 'shopwright';
import type { Session } from 'shopwright';

import { homePage } from './home.page.js';

@Controller()
export class HomeController {
  constructor(private readonly config: PlatformConfig) {}

  /**
   * What the merchant sees inside the admin. The guard installs the app first where it is not
   * installed yet.
   */
  @Get()
  @UseGuards(AuthenticatedSessionGuard)
  @Header('content-type', 'text/html; charset=utf-8')
  home(@CurrentSession() session: Session): string {
    return homePage({
      apiKey: this.config.apiKey,
      appBridge: this.config.appBridgeUrl(session.shop),
      shop: session.shop,
    });
  }
}
