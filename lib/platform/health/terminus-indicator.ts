import type { Token } from '../../core/binding.js';
import { getPlatformToken } from '../nest/platform-tokens.js';
import { CHECKED, HealthChecks, checkedOf } from './health-checks.js';
import type { Checked } from './health-checks.js';
import type { HealthOptions, HealthReport } from './health-report.js';

/** What `@nestjs/terminus` expects of an indicator: the checks under the indicator's own key. */
export type PlatformIndicatorResult<Key extends string> = Record<
  Key,
  { status: 'up' | 'down'; checks: HealthReport['checks'] }
>;

/** The provider of an indicator, as Nest takes it. */
export interface IndicatorProvider {
  provide: typeof PlatformHealthIndicator | symbol;
  useFactory: (...checked: never[]) => PlatformHealthIndicator;
  inject: never[];
}

/**
 * The health of an app for `@nestjs/terminus`, which it is not loaded from: put
 * `PlatformHealthIndicator.for()` among the `providers` of the module of your health controller.
 * @see https://docs.nestjs.com/recipes/terminus
 * @example
 * check() {
 *   return this.health.check([() => this.platform.isHealthy('platform')]);
 * }
 */
export class PlatformHealthIndicator {
  /** @internal Use {@link PlatformHealthIndicator.for}. */
  constructor(private readonly checked: Checked) {}

  /**
   * The provider of the indicator of an app; of a named one it stands under
   * `getPlatformToken(PlatformHealthIndicator, name)`.
   * @param name of the app. @default the unnamed one
   */
  static for(name?: string): IndicatorProvider {
    const tokens = Object.values<Token>(CHECKED);
    return {
      provide: getPlatformToken(PlatformHealthIndicator, name),
      useFactory: (...injected) =>
        new PlatformHealthIndicator(checkedOf((token) => injected[tokens.indexOf(token)])),
      inject: tokens.map((token) => getPlatformToken(token, name)) as never[],
    };
  }

  /** Never rejects: what is down says why. @param key under which it is reported */
  async isHealthy<const Key extends string>(
    key: Key,
    options: HealthOptions = {},
  ): Promise<PlatformIndicatorResult<Key>> {
    const { isHealthy, checks } = await new HealthChecks(this.checked, options).run();
    const result = { status: isHealthy ? ('up' as const) : ('down' as const), checks };
    return { [key]: result } as PlatformIndicatorResult<Key>;
  }
}
