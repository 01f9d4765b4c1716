import { Injectable } from '@nestjs/common';
import { OnInstalled } from 'shopwright';
import type { InstallContext } from 'shopwright';

@Injectable()
export class InstallationHandlers {
  /**
   * Runs once for a shop, before its first request goes on: the place to prepare what the app keeps
   * about it.
   */
  @OnInstalled()
  onInstalled({ shop }: InstallContext): void {
    console.log(`${shop} has installed the app`);
  }
}
