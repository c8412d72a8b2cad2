import type { Anaesthesia, ShownStatus, SurgeryStatus } from '../rules.ts'
import { upcomingStatuses } from '../rules.ts'
import type { ItemKind } from '../checklist-rules.ts'
import type { SurgeryInList } from './surgery-data.ts'

export const statusLabels: Record<ShownStatus, string> = {
  tentative: 'Tentative',
  confirmed: 'Confirmed',
  ready: 'Ready',
  completed: 'Completed',
  postponed: 'Postponed',
  cancelled: 'Cancelled',
}

export const anaesthesiaLabels: Record<Anaesthesia, string> = {
  none: 'None',
  local: 'Local',
  sedation: 'Sedation',
  general: 'General',
}

export const kindLabels: Record<ItemKind, string> = {
  consents: 'Consents',
  balance: 'Balance',
  specialist: 'Specialist consult',
  labs: 'Lab results',
  history: 'Medical history',
  medication: 'Medication',
  pre_op_visit: 'Pre-op visit',
  driver: 'Driver',
  post_op_visit: 'Post-op visit',
  other: 'Other',
}

/** 'Rhinoplasty + Chin implant' */
export const formatProcedures = ({ procedures }: Pick<SurgeryInList, 'procedures'>): string =>
  procedures.map(({ name }) => name).join(' + ')

/** 'Today', 'Tomorrow', 'In 9 days', 'Yesterday', '9 days ago' */
export function formatDaysToGo(days: number): string {
  if (days === 0) return 'Today'
  if (Math.abs(days) === 1) return days === 1 ? 'Tomorrow' : 'Yesterday'
  return days > 0 ? `In ${days} days` : `${-days} days ago`
}

/** 'On the day', '14 days before', '1 day after' */
export function formatDueDate(days: number): string {
  if (days === 0) return 'On the day'
  const count = Math.abs(days)
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'}`
}

/** Whether a case is still to take place, so that missing items matter. */
export const isPlanned = (status: SurgeryStatus): boolean => status === 'postponed' || upcomingStatuses.includes(status)

/** Days before a surgery from which nothing should be missing. */
const urgentDays = 7

/** Whether a case within the next week has missing items. */
export const isUrgent = ({ status, daysToGo, missing }: Pick<SurgeryInList, 'status' | 'daysToGo' | 'missing'>): boolean =>
  isPlanned(status) && missing.length > 0 && daysToGo >= 0 && daysToGo <= urgentDays

/** Missing items: 'Consents signed · Lab results reviewed · 3 more'. Not separated by commas, because items contain commas. */
export function formatMissing(missing: SurgeryInList['missing'], maxShown: number): string {
  const shown = missing.slice(0, missing.length === maxShown + 1 ? maxShown + 1 : maxShown).map(({ words }) => words)
  const more = missing.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' · ')
}

/** Why a case is ready or not; null once it is completed or cancelled. */
export function formatReadiness({ status, missing }: Pick<SurgeryInList, 'status' | 'missing'>): { title: string; text: string } | null {
  if (!isPlanned(status)) return null
  const lacks = missing.length === 0 ? 'Nothing else is missing.' : formatMissing(missing, missing.length)
  if (status === 'confirmed' && missing.length === 0)
    return { title: 'Ready.', text: 'Confirmed, with nothing outstanding that is due by the day of surgery.' }
  if (status === 'confirmed') return { title: 'Not cleared. Outstanding:', text: lacks }
  const state = status === 'postponed' ? 'postponed' : 'not confirmed'
  return {
    title: missing.length === 0 ? `Not cleared: ${state}.` : `Not cleared: ${state}. Outstanding:`,
    text: lacks,
  }
}
