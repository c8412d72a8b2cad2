import type { Client } from '../../../web/api.ts'

export type SettingsData = Awaited<ReturnType<Client['practice']['settings']>>
type Change = Parameters<Client['practice']['changeSettings']>[0]

/** The fields as they are typed: what is empty is as the server is set up. */
export interface PracticeDraft {
  name: string
  subtitle: string
  address: string
  phone: string
  hours: string
  timeZone: string | null
  brandHue: number | null
  domains: string
  mailFrom: string
  mailReplyTo: string
}

export const draftOf = ({ set }: Pick<SettingsData, 'set'>): PracticeDraft => ({
  name: set.name ?? '',
  subtitle: set.subtitle ?? '',
  address: set.address ?? '',
  phone: set.phone ?? '',
  hours: set.hours ?? '',
  timeZone: set.timeZone,
  brandHue: set.brandHue,
  domains: (set.companyDomains ?? []).join(', '),
  mailFrom: set.mailFrom ?? '',
  mailReplyTo: set.mailReplyTo ?? '',
})

const domainsOf = (text: string): string[] | null => {
  const domains = text.split(/[\s,;]+/).filter(Boolean)
  return domains.length === 0 ? null : domains
}

/** What differs from what was there when the form was opened: what somebody else has changed meanwhile is not taken back. */
export function changesOf(draft: PracticeDraft, base: PracticeDraft): Change {
  const changed = (Object.keys(draft) as (keyof PracticeDraft)[]).filter((key) => draft[key] !== base[key])
  return Object.fromEntries(
    changed.map((key) => (key === 'domains' ? ['companyDomains', domainsOf(draft.domains)] : [key, draft[key]])),
  ) as Change
}
