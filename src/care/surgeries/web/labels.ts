import type { Anaesthesia, ShownStatus, SurgeryStatus } from '../rules.ts'
import { coming } from '../rules.ts'
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

/** Whether it matters what a case lacks: it is still to take place. */
export const isAwaited = (status: SurgeryStatus): boolean => status === 'postponed' || coming.includes(status)

/** Days before a surgery from which on nothing should be missing. */
const urgentDays = 7

/** Whether something is missing of a case that is to take place within a week. */
export const isUrgent = ({ status, daysToGo, missing }: Pick<SurgeryInList, 'status' | 'daysToGo' | 'missing'>): boolean =>
  isAwaited(status) && missing.length > 0 && daysToGo >= 0 && daysToGo <= urgentDays

/** What a case waits for: 'Consents signed · Lab results reviewed · 3 more'. Items have commas of their own. */
export function formatMissing(missing: SurgeryInList['missing'], most: number): string {
  const named = missing.slice(0, missing.length === most + 1 ? most + 1 : most).map(({ words }) => words)
  const more = missing.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(' · ')
}

/** Why it is ready, or what it lacks for that; null where that is over. */
export function formatReadiness({ status, missing }: Pick<SurgeryInList, 'status' | 'missing'>): { title: string; words: string } | null {
  if (!isAwaited(status)) return null
  const lacks = missing.length === 0 ? 'Nothing else is missing.' : formatMissing(missing, missing.length)
  if (status === 'confirmed' && missing.length === 0)
    return { title: 'Ready.', words: 'Confirmed, and nothing that is due by the day of surgery is open.' }
  if (status === 'confirmed') return { title: 'Not cleared. Outstanding:', words: lacks }
  const state = status === 'postponed' ? 'It is postponed' : 'It is not confirmed'
  return {
    title: missing.length === 0 ? `Not ready yet: ${state.toLowerCase()}.` : `Not ready yet. ${state}, and waits for:`,
    words: lacks,
  }
}
