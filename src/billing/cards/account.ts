import { eq, max } from 'drizzle-orm'
import { createStripe, type StripeClient } from '../../integrations/stripe/client.ts'
import type { StripeFailure } from '../../integrations/stripe/failure.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { cardCustomers, stripeEvents } from './table.ts'

/** The practice's account at Stripe, and what a page needs to collect a card for it. */
export interface CardAccount {
  client: StripeClient
  publishableKey: string
  jsUrl: string
}

/** One client for each server's settings, which keeps its connections. */
const accounts = new WeakMap<object, CardAccount>()

/** Whether patients can pay by card. */
export const takesCards = ({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY }: Env): boolean =>
  STRIPE_SECRET_KEY !== undefined && STRIPE_PUBLISHABLE_KEY !== undefined

/** Null: the server is not set up to take cards. */
export function cardAccountOf({ env }: Pick<Scope, 'env'>): CardAccount | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (secretKey === undefined || publishableKey === undefined) return null
  const found = accounts.get(env)
  if (found) return found
  const client = createStripe({ secretKey, webhookSecret, baseUrl: env.STRIPE_URL, timeoutSeconds: env.STRIPE_TIMEOUT_SECONDS })
  const made = { client, publishableKey, jsUrl: env.STRIPE_JS_URL }
  accounts.set(env, made)
  return made
}

/** How the practice's account at Stripe is set up here. Null: it takes no cards. */
export async function readCardSetup({ db, env }: Pick<Scope, 'db' | 'env'>) {
  if (!takesCards(env)) return null
  const [last] = await db.select({ at: max(stripeEvents.receivedAt) }).from(stripeEvents)
  return {
    // 'sk_live_…' or, for a restricted key, 'rk_live_…'.
    isLive: env.STRIPE_SECRET_KEY!.includes('_live_'),
    acceptsEvents: env.STRIPE_WEBHOOK_SECRET !== undefined,
    lastEventAt: last?.at ?? null,
    accounts: {
      payments: env.CARD_PAYMENT_ACCOUNT,
      payouts: env.CARD_PAYOUT_ACCOUNT,
      fees: env.CARD_FEE_ACCOUNT,
      disputes: env.CARD_DISPUTE_ACCOUNT,
    },
  }
}

/** The refusal of a call that Stripe did not carry out. Uncertain and temporary failures alike: trying again with the same key is safe. */
export const cardRefusalOf = ({ kind, message }: StripeFailure) =>
  kind === 'refused' || kind === 'declined' ? refuse('CARD_REFUSED', undefined, message) : refuse('CARDS_UNAVAILABLE')

/** The patient's customer at Stripe, made with the first payment. The id of the patient is the key, so that two requests make one. */
export async function cardCustomerOf(scope: Scope, { client }: CardAccount, contactId: string) {
  const known = await findCustomer(scope.db, contactId)
  if (known) return { ok: true as const, id: known }
  const { firstName, lastName, email } = contacts
  const [contact] = await scope.db.select({ firstName, lastName, email }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const name = `${contact.firstName} ${contact.lastName}`.trim()
  const made = await client.createCustomer({ name, email: contact.email, reference: contactId }, `customer ${contactId}`)
  if (!made.ok) return made
  const row = { contactId, customerId: made.value.id, createdAt: scope.now() }
  await scope.db.insert(cardCustomers).values(row).onConflictDoNothing()
  return { ok: true as const, id: made.value.id }
}

async function findCustomer(db: Db, contactId: string): Promise<string | null> {
  const [row] = await db
    .select({ customerId: cardCustomers.customerId })
    .from(cardCustomers)
    .where(eq(cardCustomers.contactId, contactId))
    .orderBy(cardCustomers.createdAt)
    .limit(1)
  return row?.customerId ?? null
}
