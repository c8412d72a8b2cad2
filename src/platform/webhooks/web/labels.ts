import type { HookEvent } from '../rules.ts'

export const eventLabels: Record<HookEvent, string> = {
  'contact.created': 'A patient was added',
  'contact.changed': 'A patient was changed',
  'contact.stage_changed': 'A patient moved to another stage',
  'contact.deleted': 'A patient was deleted',
  'appointment.booked': 'An appointment was booked',
  'appointment.changed': 'An appointment was changed or cancelled',
  'surgery.booked': 'A surgery was booked',
  'surgery.changed': 'A surgery was changed or cancelled',
  'quote.accepted': 'A quote was accepted',
  'receipt.completed': 'A payment was taken',
  'refund.completed': 'A refund was made',
  'sequence.reached': 'A patient reached a step of a sequence that notifies webhooks',
}

/** For a delivery, whose event type may be newer than this page. */
export const describeEvent = (event: string): string =>
  Object.entries(eventLabels).find(([known]) => known === event)?.[1] ?? (event === 'webhook.test' ? 'A test' : event)

export const failureLabels = {
  address: 'Refused: the address is not on the public internet.',
  status: 'It responded with an error.',
  timeout: 'It did not respond within 10 seconds.',
  network: 'It could not be reached.',
} as const
