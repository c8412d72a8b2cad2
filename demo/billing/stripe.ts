import { stripeCredentials } from '../../simulators/stripe/server.ts'

/** The server's settings for the Stripe simulator at this address. */
export const stripeSettings = (url: string) => ({
  STRIPE_SECRET_KEY: stripeCredentials.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripeCredentials.publishableKey,
  STRIPE_WEBHOOK_SECRET: stripeCredentials.webhookSecret,
  STRIPE_URL: url,
  STRIPE_JS_URL: `${url}/v3/`,
  /** As the QuickBooks simulator names it. */
  CARD_PAYOUT_ACCOUNT: 'RBC Operating Chequing',
})
