import { afterAll } from 'vitest'
import { stripeSettings } from '../../demo/billing/stripe.ts'
import type { StripeSimulator } from '../../simulators/stripe/server.ts'
import type { TestServer } from '../server.ts'
import { type PointOfSale, usePointOfSale } from './point-of-sale.ts'

/** A point of sale that takes cards with this simulator, which it stops. Events are posted once the endpoint is set (`hookAt`). */
export function useCards(
  stripe: StripeSimulator,
  settings: Record<string, string> = {},
  serverOptions: { now?: () => Date } = {},
): PointOfSale {
  const till = usePointOfSale({ ...stripeSettings(stripe.url), STRIPE_TIMEOUT_SECONDS: '1', ...settings }, {}, serverOptions)
  afterAll(() => stripe.stop())
  return till
}

export const hookAt = ({ url }: Pick<TestServer, 'url'>): string => `${url}/api/hooks/stripe`

/** Types a test card into Stripe's form, as a page does. Returns the status of the intent, or why it was refused. */
export async function confirmWith(stripe: StripeSimulator, clientSecret: string, number = '4242424242424242'): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
  const response = await fetch(`${stripe.url}/v1/${kind}/${id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      key: stripe.publishableKey,
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  })
  const body = (await response.json()) as { status?: string; error?: { code: string; decline_code?: string } }
  return body.status ?? body.error?.decline_code ?? body.error?.code ?? 'failed'
}
