import { day, week } from '../../shared/durations.ts'
import type { TriggerKind } from './definition-contract.ts'

/**
 * `active`: under way. `paused`: until staff resume it. `finished`: all steps done. `left`: an exit applied. `stopped`: by staff. `failed`: a
 * step failed repeatedly. `held-out`: in the comparison group, which gets nothing. `refused`: the check before the start refused it.
 */
export const runStatuses = ['active', 'paused', 'finished', 'left', 'stopped', 'failed', 'held-out', 'refused'] as const
export type RunStatus = (typeof runStatuses)[number]

export const stepOutcomes = ['started', 'sent', 'refused', 'done', 'waited', 'yes', 'no', 'skipped', 'failed', 'ended', 'changed'] as const
export type StepOutcome = (typeof stepOutcomes)[number]

/** Why a message was refused, by the reason of `sendTemplates`. */
export const messageRefusals = {
  NO_PATIENT: 'no-patient',
  NO_TEMPLATE: 'no-template',
  NO_CONSENT: 'no-consent',
  STOPPED: 'stopped',
  NO_ADDRESS: 'no-email',
  NO_MOBILE_NUMBER: 'no-mobile',
  BOUNCED: 'bounced',
  CLINICAL_WORD: 'clinical-word',
  MISSING_VALUE: 'missing-value',
  TOO_LONG: 'too-long',
  NOT_SET_UP: 'not-set-up',
  KEY_REUSED: 'key-reused',
} as const
export type MessageRefusal = (typeof messageRefusals)[keyof typeof messageRefusals]

/** What happens to a patient that sequences look at. */
export const signalKinds = ['lead', 'stage', 'appointment', 'quote', 'surgery', 'tag', 'reply', 'form', 'link'] as const
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
export const lateSince = (now: Date): Date => new Date(now.getTime() - lateAfterMinutes * 60_000)
/** How long a failed step counts as a problem of its sequence. */
export const failedSince = (now: Date): Date => new Date(now.getTime() - week)

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

/** Whether no one has entered for as long as the sequence says that administrators want to know. */
export function isQuiet(
  { onSince, lastEnteredAt }: { onSince: Date | null; lastEnteredAt: Date | null },
  alertDays: number | null,
  now: Date,
): boolean {
  if (!onSince || alertDays === null) return false
  const since = Math.max(onSince.getTime(), lastEnteredAt?.getTime() ?? 0)
  return since + alertDays * day < now.getTime()
}

/** `late`: due steps were not carried out. `failed`: a step failed for patients. `quiet`: no one has entered for so many days. */
export const sequenceProblems = ['late', 'failed', 'quiet'] as const
export type SequenceProblem = (typeof sequenceProblems)[number]
