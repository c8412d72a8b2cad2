/** Events available to other systems: type and ids only. Published by database triggers, whatever made the change. */
export const hookEvents = [
  'contact.created',
  'contact.changed',
  'contact.stage_changed',
  'contact.deleted',
  'appointment.booked',
  'appointment.changed',
  'surgery.booked',
  'surgery.changed',
  'quote.accepted',
  'receipt.completed',
  'refund.completed',
  'sequence.reached',
] as const
export type HookEvent = (typeof hookEvents)[number]

/** Requested by an administrator; every webhook receives it. */
export const testEvent = 'webhook.test'

const minute = 60_000
const hour = 60 * minute

/** Retry delays as proposed by the Standard Webhooks specification, the second rounded to our clock's minute. */
const retryDelays = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
export const maxTries = retryDelays.length + 1

/** Next try of a delivery that has failed `attempts` times; null if there is no automatic retry. */
export const nextAttempt = (attempts: number, now: Date): Date | null => {
  const wait = retryDelays[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}

/** After failing this long, an address is turned off until someone turns it on again. */
export const disabledAfter = 5 * 24 * hour
/** How long deliveries are kept. */
export const deliveryRetention = 30 * 24 * hour

/** Payload: what happened, when, and to which record. For more, call the API with a key. */
export const bodyOf = ({ event, subjectId, createdAt }: { event: string; subjectId: string; createdAt: Date }): string =>
  JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: { id: subjectId } })
