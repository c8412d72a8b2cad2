import type { TriggerKind } from './definition-contract.ts'

/**
 * `active`: under way. `paused`: until staff resume it. `finished`: all steps done. `left`: an exit applied. `stopped`: by staff. `failed`: a
 * step failed repeatedly. `held-out`: in the comparison group, which gets nothing. `refused`: the check before the start refused it.
 */
export const runStatuses = ['active', 'paused', 'finished', 'left', 'stopped', 'failed', 'held-out', 'refused'] as const
export type RunStatus = (typeof runStatuses)[number]

export const stepOutcomes = ['started', 'sent', 'refused', 'done', 'waited', 'yes', 'no', 'skipped', 'failed', 'ended', 'changed'] as const
export type StepOutcome = (typeof stepOutcomes)[number]

/** What happens to a patient that sequences look at. */
export const signalKinds = ['lead', 'stage', 'appointment', 'quote', 'surgery', 'tag', 'reply', 'form', 'resumed'] as const
export type SignalKind = (typeof signalKinds)[number]

/** The signal after which a trigger is looked at; null: only time brings it. */
export const signalOf: Record<TriggerKind, SignalKind | null> = {
  lead: 'lead',
  stage: 'stage',
  'appointment-booked': 'appointment',
  'appointment-missed': 'appointment',
  'appointment-before': 'appointment',
  'quote-sent': 'quote',
  'quote-expiring': 'quote',
  'surgery-before': 'surgery',
  'surgery-after': 'surgery',
  'form-unanswered': null,
  tag: 'tag',
  birthday: null,
  'follow-up': null,
  'no-contact': null,
}

/** A failing step is tried again after so many minutes, then the run has failed. */
const retryMinutes = [1, 5, 30, 120]
export const retryAt = (attempts: number, now: Date): Date | null => {
  const minutes = retryMinutes[attempts - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000)
}

/** A due step that has waited longer is late: the queue lags. */
export const lateAfterMinutes = 15

/** The 95 % interval of the difference of two shares, in percentage points (normal approximation). Null: too few to say. */
export function differenceOf(
  one: { of: number; had: number },
  other: { of: number; had: number },
): { points: number; from: number; to: number } | null {
  const enough = ({ of, had }: { of: number; had: number }) => of >= 20 && had >= 5 && of - had >= 5
  if (!enough(one) || !enough(other)) return null
  const [p, q] = [one.had / one.of, other.had / other.of]
  const margin = 1.96 * Math.sqrt((p * (1 - p)) / one.of + (q * (1 - q)) / other.of)
  const points = (share: number) => Math.round(share * 1_000) / 10
  return { points: points(p - q), from: points(p - q - margin), to: points(p - q + margin) }
}
