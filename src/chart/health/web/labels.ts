import { daysLater, toInstant } from '../../../shared/zoned-time.ts'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Clock, formatShortDate, today } from '../../../ui/format.ts'
import {
  activeOf,
  type BloodType,
  bySeverity,
  type EntryKind,
  type EntrySource,
  type EntryStatus,
  formatStopDays,
  isActive,
  type Section,
  sectionKinds,
  type Severity,
} from '../rules.ts'
import type { EntryData } from './health-data.ts'

export const kindLabels: Record<EntryKind, string> = {
  allergy: 'Allergy',
  medication: 'Medication',
  condition: 'Condition',
  surgery: 'Past surgery',
  nicotine: 'Nicotine',
  pregnancy: 'Pregnancy or breastfeeding',
  implant: 'Implant',
  alert: 'Alert',
}

/** What the name of an entry is called in its form. */
export const nameLabels: Record<EntryKind, string> = {
  allergy: 'Allergic to',
  medication: 'Medication',
  condition: 'Condition',
  surgery: 'Surgery',
  nicotine: 'Product',
  pregnancy: 'State',
  implant: 'Implant',
  alert: 'Alert',
}

export const severityLabels: Record<Severity, string> = { mild: 'Mild', moderate: 'Moderate', severe: 'Severe' }
const severityTones: Record<Severity, BadgeTone> = { mild: 'neutral', moderate: 'warning', severe: 'danger' }
export const sourceLabels: Record<EntrySource, string> = { staff: 'Staff', form: 'Intake form' }
/** 'A−', with a minus sign. */
export const formatBloodType = (type: BloodType): string => type.replace('-', '−')
/** ASA classes are written in Roman numerals. */
export const asaLabels: Readonly<Record<number, string>> = { 1: 'I', 2: 'II', 3: 'III', 4: 'IV', 5: 'V' }

interface SectionWords {
  title: string
  add: string
  /** After the count of what applies now: '2 active'. */
  active: string
  /** Confirms the section while nothing applies. */
  confirmEmpty: string
  /** Reviewed, and nothing applies. */
  empty: string
}
export const sectionWords: Record<Section, SectionWords> = {
  allergies: {
    title: 'Allergies',
    add: 'Add allergy',
    active: 'active',
    confirmEmpty: 'No known allergies',
    empty: 'No known allergies',
  },
  medications: {
    title: 'Medications',
    add: 'Add medication',
    active: 'current',
    confirmEmpty: 'Takes no medication',
    empty: 'Takes no medication',
  },
  history: {
    title: 'Conditions and surgeries',
    add: 'Add entry',
    active: '',
    confirmEmpty: 'Nothing to report',
    empty: 'No conditions or surgeries',
  },
}

/** The entries of a section that it always shows, and those behind "Show past". Past conditions and surgeries are part of the history. */
export function partsOf(section: Section, entries: readonly EntryData[]): { shown: EntryData[]; past: EntryData[] } {
  const own = entries.filter(({ kind }) => sectionKinds[section].includes(kind))
  const isShown = (entry: EntryData) => isActive(entry) || (section === 'history' && entry.status === 'past')
  const shown = own.filter(isShown)
  if (section === 'allergies') shown.sort(bySeverity)
  else shown.sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
  return { shown, past: own.filter((entry) => !isShown(entry)) }
}

/** 'Penicillin (Anaphylaxis, 2014, severe), Latex (moderate)', the most severe first. */
export const formatAllergies = (entries: readonly EntryData[]): string =>
  activeOf(entries, 'allergy')
    .toSorted(bySeverity)
    .map(({ name, detail, severity }) => {
      const facts = [detail, severity && severityLabels[severity].toLowerCase()].filter(Boolean)
      return facts.length === 0 ? name : `${name} (${facts.join(', ')})`
    })
    .join(', ')

/** The second column of an entry: '0.5 mg weekly, weight loss', '2016, spinal, no complications'. */
export function formatDetail({ kind, detail, dose, isWeightLoss, year, anaesthesia, status, errorReason }: EntryData): string {
  if (status === 'entered_in_error') return `Entered in error: ${errorReason ?? ''}`
  const parts = kind === 'medication' ? [dose, isWeightLoss ? 'weight loss' : null, detail] : [year, anaesthesia, detail]
  return parts.filter((part) => part !== null && part !== '').join(', ')
}

const endedLabels: Partial<Record<EntryKind, string>> = { medication: 'Stopped', condition: 'Resolved', surgery: 'Past surgery' }

/** The state of an entry as a badge, or as plain text. `nextSurgeryOn`: the day of the next surgery, 'yyyy-MM-dd'. */
export function formatState(entry: EntryData, nextSurgeryOn: string | null, clock: Clock): { text: string; tone: BadgeTone | null } {
  const { kind, status, severity, stopDays } = entry
  if (status === 'entered_in_error') return { text: 'In error', tone: null }
  if (status === 'past') return { text: endedLabels[kind] ?? 'Past', tone: null }
  if (kind === 'allergy')
    return severity ? { text: severityLabels[severity], tone: severityTones[severity] } : { text: 'Severity unknown', tone: 'warning' }
  if (stopDays !== null) return formatStop(stopDays, nextSurgeryOn, clock)
  return { text: kind === 'medication' ? 'Continue' : 'Active', tone: null }
}

/** 'Stop by Dec 3', red from the next day on; without a surgery 'Stop 14 days before surgery'. */
function formatStop(stopDays: number, nextSurgeryOn: string | null, clock: Clock): { text: string; tone: BadgeTone } {
  if (nextSurgeryOn === null) {
    const text = formatStopDays(stopDays)
    return { text: `${text[0]!.toUpperCase()}${text.slice(1)}`, tone: 'warning' }
  }
  const day = daysLater(nextSurgeryOn, -stopDays)
  return { text: `Stop by ${formatCalendarDay(day, clock)}`, tone: day < today(clock) ? 'danger' : 'warning' }
}

/** 'Reviewed Nov 27 by Dr. Rao', or of what a patient reported in a form: 'Reported by the patient, accepted Nov 27 by Dr. Rao'. */
export const formatReviewed = ({ source, by, on }: { source: EntrySource; by: string; on: string }): string =>
  source === 'form' ? `Reported by the patient, accepted ${on} by ${by}` : `Reviewed ${on} by ${by}`

/** 'Measured Nov 27 by Dr. Rao', or 'Reported by the patient Nov 27, accepted by Dr. Rao'. */
export function formatMeasured(
  { source, measuredOn }: { source: EntrySource; measuredOn: string },
  { by, clock }: { by: string; clock: Clock },
) {
  const on = formatCalendarDay(measuredOn, clock)
  return source === 'form' ? `Reported by the patient ${on}, accepted by ${by}` : `Measured ${on} by ${by}`
}

/** A calendar day, 'yyyy-MM-dd', as 'Nov 19', with the year if it is another one. */
export const formatCalendarDay = (day: string, clock: Clock): string =>
  formatShortDate(toInstant({ day, time: '12:00' }, clock.timeZone), clock)

/** The action that changes the status of an entry, with its toast. */
export function statusAction({ kind, status, name }: EntryData): { to: EntryStatus; label: string; done: string } | null {
  if (kind === 'surgery' && status === 'past') return null
  if (status !== 'active') return { to: kind === 'surgery' ? 'past' : 'active', label: 'Restore', done: `${name} restored` }
  if (kind === 'medication') return { to: 'past', label: 'Stopped', done: `${name} marked as stopped` }
  if (kind === 'condition') return { to: 'past', label: 'Resolved', done: `${name} marked as resolved` }
  return { to: 'past', label: 'No longer applies', done: `${name} no longer applies` }
}
