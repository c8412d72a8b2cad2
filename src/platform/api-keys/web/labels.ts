import type { KeyFeature } from '../../../kernel/access/key-rules.ts'

/** Data a program can read or change, named as in the interface. */
export const featureLabels: Record<KeyFeature, string> = {
  contacts: 'Patients',
  appointments: 'Appointments',
  bulkChanges: 'Changes to many patients',
  collections: 'Patients’ accounts',
  consent: 'Consent',
  dashboard: 'Dashboard',
  documents: 'Documents',
  duplicates: 'Possible duplicates',
  gallery: 'Gallery for the website',
  emailTemplates: 'Email templates',
  healthCards: 'Health cards',
  portraits: 'Portraits',
  notes: 'Clinical notes',
  health: 'Health summaries',
  forms: 'Intake forms',
  consentForms: 'Consent forms',
  imports: 'Imports',
  inbox: 'Inbox',
  interactions: 'Timeline',
  leads: 'Leads received',
  leadSources: 'Lead sources',
  pipeline: 'Funnel stages',
  pos: 'Payments and receipts',
  practice: 'Hours and rooms',
  procedures: 'Procedures',
  quotes: 'Quotes',
  reports: 'Reports',
  surgeries: 'Surgeries',
  referrals: 'Referrals',
  tags: 'Tags',
  tasks: 'Tasks',
}

/** 'Reads Patients and Tags. Changes Tasks.' */
export function formatScopes(scopes: readonly string[]): string {
  const of = (action: string) =>
    Object.entries(featureLabels)
      .filter(([feature]) => scopes.includes(`${feature}:${action}`))
      .map(([, label]) => label)
  const [reads, changes] = [of('read'), of('write')]
  return [reads.length > 0 && `Reads ${listed(reads)}.`, changes.length > 0 && `Changes ${listed(changes)}.`].filter(Boolean).join(' ')
}

const maxListedNames = 4

function listed(labels: readonly string[]): string {
  if (labels.length > maxListedNames)
    return `${labels.slice(0, maxListedNames - 1).join(', ')} and ${labels.length - maxListedNames + 1} more`
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels.join('')
}
