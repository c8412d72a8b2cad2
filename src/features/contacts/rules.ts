import { digitsOf } from '../../shared/text.ts'

/** How a search term is read (spec 5). */
export type SearchTerm = {
  /** The whole term, for "contains" in first name, last name, e-mail or phone. */
  phrase: string
  words: string[]
  /** The digits of a phone-like term, else null. */
  digits: string | null
}

/** Reads a search term; null when there is nothing to search for. */
export function readTerm(search: string | undefined): SearchTerm | null {
  const phrase = (search ?? '').trim().replace(/\s+/gu, ' ')
  if (phrase === '') return null
  const digits = digitsOf(phrase)
  const phoneLike = /^[+(]?[\d\s().+-]*$/.test(phrase) && digits.length >= 3
  return { phrase, words: phrase.split(' '), digits: phoneLike ? digits : null }
}

const plain = (term: string) => term.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')

/** Whether a term has three letters or digits in a row, which is what the trigram index needs. Accents count as their letters. */
export const hasTrigram = (term: string): boolean => /[a-z0-9]{3}/i.test(plain(term))

/** Three letters or digits each from the beginning, the middle and the end of a word of six and more; none of a shorter or mixed term. */
export function trigramWindows(term: string): string[] {
  const word = plain(term)
  if (!/^[a-z0-9]{6,}$/i.test(word)) return []
  const middle = Math.floor(word.length / 2) - 1
  return [word.slice(0, 3), ...(word.length >= 9 ? [word.slice(middle, middle + 3)] : []), word.slice(-3)]
}

/** The keys (see contact_search_keys) of each pair of digits in order, distinct, at most `most` of them. */
export function digitPairKeys(digits: string, most = 16): number[] {
  const keys = new Set<number>()
  for (let gap = 1; gap < digits.length && keys.size < most; gap++) {
    for (let i = 0; i + gap < digits.length && keys.size < most; i++) keys.add(-1 - (10 * Number(digits[i]) + Number(digits[i + gap])))
  }
  return [...keys]
}

/** A contact's fields by the names that people read. */
export const fieldLabels: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  city: 'City',
  state: 'Province',
  zipCode: 'Postal code',
  company: 'Company',
  title: 'Title',
  notes: 'Notes',
  status: 'Status',
  leadSource: 'Lead source',
  leadSourceId: 'Lead source',
  leadSourceText: 'Lead source',
  funnelStage: 'Stage',
  funnelStageId: 'Stage',
  procedureOfInterest: 'Procedure of interest',
  procedureId: 'Procedure of interest',
  procedureText: 'Procedure of interest',
  assignedSalesRepId: 'Owner',
  assignedProviderId: 'Provider',
  lastContactDate: 'Last contact',
  nextFollowUpDate: 'Next follow-up',
  consentToCommunicate: 'Consent to communicate',
  importSource: 'Import source',
  weightLossMedication: 'Weight-loss medication',
  requiresSpecialistConsult: 'Specialist consult required',
  specialistConsultType: 'Specialist consult type',
  specialistConsultReason: 'Specialist consult reason',
  specialistResultsReceived: 'Specialist results received',
  specialistResultsDate: 'Specialist results date',
  specialistNotes: 'Specialist notes',
  surgicalDate: 'Surgical date',
  revenueCents: 'Revenue',
  appointmentDate: 'Appointment date',
  appointmentTime: 'Appointment time',
  appointmentLocation: 'Appointment location',
  metadata: 'Other details',
}

/** 'Phone, Email and City' for the fields of a change, each once. */
export function listLabels(fields: readonly string[]): string {
  const labels = [...new Set(fields.map((field) => fieldLabels[field] ?? field))]
  return new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(labels)
}
