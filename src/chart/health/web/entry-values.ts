import { type Problems, problemsIn } from '../../../ui/forms/useActionForm.ts'
import { newEntry } from '../contract.ts'
import { type EntryKind, hasField, type Severity } from '../rules.ts'
import type { EntryData } from './health-data.ts'

/** An entry as typed. */
export interface EntryValues {
  kind: EntryKind
  name: string
  detail: string
  severity: Severity | null
  dose: string
  /** Days; empty to continue. */
  stopDays: string
  isWeightLoss: boolean
  year: string
  anaesthesia: string
}

export const blankEntry = (kind: EntryKind): EntryValues => ({
  kind,
  name: '',
  detail: '',
  severity: null,
  dose: '',
  stopDays: '',
  isWeightLoss: false,
  year: '',
  anaesthesia: '',
})

export const entryValuesOf = (entry: EntryData): EntryValues => ({
  kind: entry.kind,
  name: entry.name,
  detail: entry.detail ?? '',
  severity: entry.severity,
  dose: entry.dose ?? '',
  stopDays: entry.stopDays?.toString() ?? '',
  isWeightLoss: entry.isWeightLoss,
  year: entry.year?.toString() ?? '',
  anaesthesia: entry.anaesthesia ?? '',
})

/** A typed whole number; NaN, which no contract takes, for anything else. */
const numberIn = (typed: string): number | null => {
  const text = typed.trim()
  if (text === '') return null
  return /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
}

/** What the values say, without those that this kind does not have. */
export const toEntry = ({ kind, ...values }: EntryValues) => ({
  kind,
  name: values.name.trim(),
  detail: values.detail.trim() || null,
  severity: hasField(kind, 'severity') ? values.severity : null,
  dose: (hasField(kind, 'dose') && values.dose.trim()) || null,
  stopDays: hasField(kind, 'stopDays') ? numberIn(values.stopDays) : null,
  isWeightLoss: hasField(kind, 'isWeightLoss') && values.isWeightLoss,
  year: hasField(kind, 'year') ? numberIn(values.year) : null,
  anaesthesia: (hasField(kind, 'anaesthesia') && values.anaesthesia.trim()) || null,
})

export const entryProblems = (values: EntryValues): Problems => problemsIn(newEntry, toEntry(values))

/** The fields that differ from the entry. */
export function changedFields(entry: EntryData, values: EntryValues) {
  const { kind: _, ...wanted } = toEntry(values)
  return Object.fromEntries(Object.entries(wanted).filter(([field, value]) => entry[field as keyof typeof wanted] !== value)) as Partial<
    typeof wanted
  >
}
