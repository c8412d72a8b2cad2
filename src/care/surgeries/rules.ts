import type { ItemKind } from './checklist-rules.ts'

export const anaesthesias = ['none', 'local', 'sedation', 'general'] as const
export type Anaesthesia = (typeof anaesthesias)[number]

export const surgeryStatuses = ['tentative', 'confirmed', 'completed', 'postponed', 'cancelled'] as const
export type SurgeryStatus = (typeof surgeryStatuses)[number]

/** What is shown: one that is confirmed and lacks nothing is ready, which no one can type in. */
export const shownStatuses = ['tentative', 'confirmed', 'ready', 'completed', 'postponed', 'cancelled'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** Those that are still to take place on their day. */
export const coming: readonly SurgeryStatus[] = ['tentative', 'confirmed']
/** Those that take up a surgeon's and a room's time. */
export const holding: readonly SurgeryStatus[] = [...coming, 'completed']

/** Minutes. */
export const [shortest, longest] = [15, 16 * 60] as const

/** What may follow on a status. What is over can be corrected, and what was cancelled booked again. */
const following: Record<SurgeryStatus, readonly SurgeryStatus[]> = {
  tentative: ['confirmed', 'completed', 'postponed', 'cancelled'],
  confirmed: ['tentative', 'completed', 'postponed', 'cancelled'],
  completed: ['confirmed'],
  postponed: ['tentative', 'confirmed', 'cancelled'],
  cancelled: ['tentative'],
}
export const mayFollow = (from: SurgeryStatus, to: SurgeryStatus): boolean => following[from].includes(to)

/** No one has been operated on before the day of the case. `day` and `today`: calendar days of the practice. */
export const isTooEarly = (to: SurgeryStatus, day: string, today: string): boolean => to === 'completed' && today < day

/** Spec 4: surgery is booked if the stage is the conversion target, or a surgical date or revenue exists. */
export const isSurgeryBooked = (isWonStage: boolean, { surgicalDate, revenueCents }: SurgeryFields): boolean =>
  isWonStage || surgicalDate !== null || revenueCents !== null

/** A procedure as a case names it. */
export interface CaseProcedure {
  id: string
  name: string
}

/** A case as its patient's record mirrors it: a calendar day, and cents. */
export interface MirroredCase {
  day: string
  priceCents: number | null
  status: SurgeryStatus
}
export interface SurgeryFields {
  surgicalDate: string | null
  revenueCents: number | null
}

/**
 * What a patient's record says of their surgery: day and price of the next case that is to take place, else of the last whose day has passed,
 * whether someone has said that it was completed or not. Where there is none, what an earlier case has left is taken away; what someone has
 * typed stays. `cases`: all of theirs, the earliest first; `was`: what the one that is being changed was before; `today`: of the practice.
 */
export function mirroredFields(
  contact: SurgeryFields,
  cases: readonly MirroredCase[],
  was: MirroredCase | null,
  today: string,
): SurgeryFields {
  const one =
    cases.find(({ status, day }) => coming.includes(status) && day >= today) ?? cases.findLast(({ status }) => holding.includes(status))
  const left = was ? [...cases, was] : cases
  const isDayOurs = left.some(({ day }) => day === contact.surgicalDate)
  const isPriceOurs = left.some(({ priceCents }) => priceCents !== null && priceCents === contact.revenueCents)
  return {
    surgicalDate: one?.day ?? (isDayOurs ? null : contact.surgicalDate),
    revenueCents: one?.priceCents ?? (isPriceOurs ? null : contact.revenueCents),
  }
}

/** What is missing of a case, as far as its surgery waits for it. */
export interface Missing {
  id: string
  kind: ItemKind
  words: string
  /** A calendar day. */
  dueOn: string
}

export const shownStatus = (status: SurgeryStatus, missing: readonly Missing[]): ShownStatus =>
  status === 'confirmed' && missing.length === 0 ? 'ready' : status
