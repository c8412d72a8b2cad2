import { daysLater } from '../../shared/zoned-time.ts'
import { weekdayOf } from '../../platform/practice/rules.ts'

/** What an adverse event can be, how severe, and which have to be reported when. */

interface EventKind {
  label: string
  /**
   * On the list of the College of Physicians and Surgeons of Ontario for out-of-hospital premises: reported within five business days of learning of
   * it (CPSO General By-law, Adverse Events Standard, December 2023). It names the patient, the site and the side; the wrong procedure is treated alike.
   */
  isReportable: boolean
  /** A death, which is grade V and nothing else is. */
  isDeath?: true
}

const reportable = (label: string, rest: Partial<EventKind> = {}): EventKind => ({ label, isReportable: true, ...rest })
const tracked = (label: string): EventKind => ({ label, isReportable: false })

export const eventKinds = {
  death_in_premises: reportable('Death in the clinic', { isDeath: true }),
  death_within_10_days: reportable('Death within 10 days of a procedure', { isDeath: true }),
  wrong_patient: reportable('Procedure on the wrong patient'),
  wrong_site: reportable('Procedure on the wrong site'),
  wrong_side: reportable('Procedure on the wrong side'),
  wrong_procedure: reportable('Wrong procedure'),
  transfer_to_hospital: reportable('Transfer from the clinic to a hospital'),
  hospital_within_10_days: tracked('Unplanned hospital treatment within 10 days'),
  unplanned_stay: tracked('Unplanned extended or overnight stay'),
  return_to_theatre: tracked('Unplanned return to the operating room'),
  infection: tracked('Infection'),
  bleeding: tracked('Bleeding or haematoma'),
  wound: tracked('Wound breakdown or necrosis'),
  injury: tracked('Injury of another structure'),
  thromboembolism: tracked('Thromboembolism'),
  cardiac_respiratory: tracked('Cardiac or respiratory event'),
  allergic_reaction: tracked('Allergic reaction'),
  medication: tracked('Medication-related event'),
  other: tracked('Other'),
} as const satisfies Record<string, EventKind>
export type EventKindName = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as EventKindName[]
export const eventKind = (name: EventKindName): EventKind => eventKinds[name]

/** The Clavien-Dindo classification of surgical complications (2004). */
export const severities = {
  I: 'Deviation from the normal course without treatment',
  II: 'Medication, transfusion or parenteral nutrition',
  IIIa: 'Intervention without general anaesthesia',
  IIIb: 'Intervention under general anaesthesia',
  IVa: 'Life-threatening, one organ fails',
  IVb: 'Life-threatening, several organs fail',
  V: 'Death',
} as const
export type Severity = keyof typeof severities
export const severityNames = Object.keys(severities) as Severity[]
/** 'Grade IIIb: Intervention under general anaesthesia' */
export const formatSeverity = (severity: Severity): string => `Grade ${severity}: ${severities[severity]}`

/** A death is grade V, and nothing else is. */
export const isSeverityOf = (kind: EventKindName, severity: Severity): boolean => (eventKind(kind).isDeath === true) === (severity === 'V')

/** Business days from learning of an event to the last day of its report. */
export const reportWithin = 5
/** Business days before the last day on which administrators are warned. */
const warnBefore = 1

/**
 * Monday to Friday. The practice's opening hours do not matter, because its closed days do not extend a deadline of the College. Holidays are not
 * known, so that with one in between the day is earlier than it has to be, never later.
 */
export const isBusinessDay = (day: string): boolean => weekdayOf(day) <= 5

/** The business day that is `count` after a day; before it if negative. Days: 'yyyy-MM-dd'. */
export function businessDaysLater(day: string, count: number): string {
  const step = Math.sign(count)
  let found = day
  for (let left = Math.abs(count); left > 0;) {
    found = daysLater(found, step)
    if (isBusinessDay(found)) left--
  }
  return found
}

/** The last day of the report of an event that the practice learned of on a day; null if it need not be reported. */
export const reportDueOn = (kind: EventKindName, learnedOn: string): string | null =>
  eventKind(kind).isReportable ? businessDaysLater(learnedOn, reportWithin) : null

/** The day on which administrators are warned of a report that is not filed. */
export const warnOn = (dueOn: string): string => businessDaysLater(dueOn, -warnBefore)

interface Reported {
  dueOn: string | null
  filedOn: string | null
  voidedAt: Date | string | null
}

/** `near`: due today or on the next business day. */
export const reportStates = ['none', 'due', 'near', 'overdue', 'filed'] as const
export type ReportState = (typeof reportStates)[number]

/** Where the report of an event is. `today`: in the practice's time zone. */
export function reportState({ dueOn, filedOn, voidedAt }: Reported, today: string): ReportState {
  if (dueOn === null || voidedAt !== null) return 'none'
  if (filedOn !== null) return 'filed'
  if (today > dueOn) return 'overdue'
  return today >= warnOn(dueOn) ? 'near' : 'due'
}

/** Characters, and people. */
export const eventLimits = { people: 20, others: 500, reference: 100, reason: 500 } as const
