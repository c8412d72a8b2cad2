import type { ItemKind } from './checklist-rules.ts'

export const anaesthesias = ['none', 'local', 'sedation', 'general'] as const
export type Anaesthesia = (typeof anaesthesias)[number]

export const surgeryStatuses = ['tentative', 'confirmed', 'completed', 'postponed', 'cancelled'] as const
export type SurgeryStatus = (typeof surgeryStatuses)[number]

/** Displayed statuses. A confirmed case with nothing missing is ready; ready cannot be set by hand. */
export const shownStatuses = ['tentative', 'confirmed', 'ready', 'completed', 'postponed', 'cancelled'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** Statuses of cases that are still to take place on their day. */
export const upcomingStatuses: readonly SurgeryStatus[] = ['tentative', 'confirmed']
/** Statuses that occupy the surgeon and the room. */
export const blockingStatuses: readonly SurgeryStatus[] = [...upcomingStatuses, 'completed']

/** Duration limits in minutes. */
export const [minMinutes, maxMinutes] = [15, 16 * 60] as const

/** Allowed status changes. Completed cases can be corrected and cancelled ones booked again. */
const nextStatuses: Record<SurgeryStatus, readonly SurgeryStatus[]> = {
  tentative: ['confirmed', 'completed', 'postponed', 'cancelled'],
  confirmed: ['tentative', 'completed', 'postponed', 'cancelled'],
  completed: ['confirmed'],
  postponed: ['tentative', 'confirmed', 'cancelled'],
  cancelled: ['tentative'],
}
export const mayFollow = (from: SurgeryStatus, to: SurgeryStatus): boolean => nextStatuses[from].includes(to)

/** A case cannot be completed before its day. `day` and `today`: calendar days in the practice's time zone. */
export const isTooEarly = (to: SurgeryStatus, day: string, today: string): boolean => to === 'completed' && today < day

/** Surgery is booked if the stage is the conversion target, or a surgical date or revenue exists (spec 4). */
export const isSurgeryBooked = (isWonStage: boolean, { surgicalDate, revenueCents }: SurgeryFields): boolean =>
  isWonStage || surgicalDate !== null || revenueCents !== null

/** A procedure of a case. */
export interface CaseProcedure {
  id: string
  name: string
}

/** The part of a case that the patient's record shows: calendar day and cents. */
export interface CaseSummary {
  day: string
  priceCents: number | null
  status: SurgeryStatus
}
export interface SurgeryFields {
  surgicalDate: string | null
  revenueCents: number | null
}

/**
 * The surgery fields of a patient's record: day and price of the next case, or else of the last past one, completed or not. Without either,
 * values that came from a case are cleared, and typed values stay. `cases`: all of the patient's, oldest first. `before`: the case being
 * changed, before the change. `today`: in the practice's time zone.
 */
export function nextSurgeryFields(
  contact: SurgeryFields,
  cases: readonly CaseSummary[],
  before: CaseSummary | null,
  today: string,
): SurgeryFields {
  const shown =
    cases.find(({ status, day }) => upcomingStatuses.includes(status) && day >= today) ??
    cases.findLast(({ status }) => blockingStatuses.includes(status))
  const known = before ? [...cases, before] : cases
  const isDayFromCase = known.some(({ day }) => day === contact.surgicalDate)
  const isPriceFromCase = known.some(({ priceCents }) => priceCents !== null && priceCents === contact.revenueCents)
  return {
    surgicalDate: shown?.day ?? (isDayFromCase ? null : contact.surgicalDate),
    revenueCents: shown?.priceCents ?? (isPriceFromCase ? null : contact.revenueCents),
  }
}

/** An open item that the surgery needs to be ready. */
export interface Missing {
  id: string
  kind: ItemKind
  words: string
  /** A calendar day, 'yyyy-MM-dd'. */
  dueOn: string
}

export const shownStatus = (status: SurgeryStatus, missing: readonly Missing[]): ShownStatus =>
  status === 'confirmed' && missing.length === 0 ? 'ready' : status
