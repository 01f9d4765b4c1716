/** Checked by the compiler, never run: where the decorators of Flow actions and fulfillment services may stand. */
import {
  FlowAction,
  FlowActionRun,
  FulfillmentNotification,
  FulfillmentService,
} from '../../lib/index.js';
import type { FlowActionRequest, FulfillmentRequest, SignedContext } from '../../lib/index.js';

@FlowAction('of-a-class', { timeout: 1_000 })
export class Actions {
  @FlowAction('tag-order')
  tag(@FlowActionRun() run: FlowActionRequest<{ tag: string }>): string {
    return run.payload.properties.tag;
  }

  @FulfillmentService()
  notified(@FulfillmentNotification('payload') { kind }: FulfillmentRequest['payload']): string {
    return kind;
  }

  handle(
    @FlowActionRun('payload') payload: FlowActionRequest['payload'],
    // @ts-expect-error a mistyped member
    @FlowActionRun('payolad') mistyped: unknown,
    // @ts-expect-error a decorator of handlers
    @FlowAction('payload') handler: unknown,
    @FlowActionRun('admin') admin: SignedContext['admin'],
  ): unknown {
    return [payload, mistyped, handler, admin];
  }

  // @ts-expect-error without the handle of an action
  @FlowAction()
  nameless(): void {}
}
