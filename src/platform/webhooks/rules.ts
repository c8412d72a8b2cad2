/** What may be told to other systems: what happened, and to which. Triggers of the database tell it, whatever made the change. */
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
] as const
export type HookEvent = (typeof hookEvents)[number]

/** Asked for by an administrator; every webhook gets it. */
export const testEvent = 'webhook.test'

const minute = 60_000
const hour = 60 * minute

/** After each try that failed, the next; those that the Standard Webhooks specification proposes, the second by our clock's minute. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
export const maxTries = waits.length + 1

/** When a delivery that has failed `attempts` times is tried again; null: never by itself. */
export const nextAttempt = (attempts: number, now: Date): Date | null => {
  const wait = waits[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}

/** An address that has taken nothing for so long is told nothing more, until someone switches it on again. */
export const givenUpAfter = 5 * 24 * hour
/** How long what was delivered, or was not, can be looked at. */
export const deliveriesKept = 30 * 24 * hour

/** What is sent: what happened, when, and to which. Anyone who wants to know more asks the API, under a key of their own. */
export const bodyOf = ({ event, subjectId, createdAt }: { event: string; subjectId: string; createdAt: Date }): string =>
  JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: { id: subjectId } })
