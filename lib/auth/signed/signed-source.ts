/** What the platform calls an app for, besides webhooks. */
export type SignedSource = 'flow' | 'fulfillment_service';
