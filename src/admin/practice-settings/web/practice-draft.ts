import type { Client } from '../../../ui/client/api.ts'

export type SettingsData = Awaited<ReturnType<Client['practice']['settings']>>
type Change = Parameters<Client['practice']['changeSettings']>[0]

/** The fields as they are typed. */
export interface PracticeDraft {
  name: string
  subtitle: string
  address: string
  phone: string
  hours: string
  hstNumber: string
  timeZone: string | null
  brandHue: number | null
  domains: string
  mailFrom: string
  mailReplyTo: string
}

/** What is in force: each field's own value, or the one that the server is set up with. A field that is emptied goes back to the latter. */
export function draftOf({ set, otherwise }: Pick<SettingsData, 'set' | 'otherwise'>): PracticeDraft {
  const text = (name: 'name' | 'subtitle' | 'address' | 'phone' | 'hours' | 'hstNumber' | 'mailFrom' | 'mailReplyTo') =>
    set[name] ?? otherwise[name] ?? ''
  return {
    name: text('name'),
    subtitle: text('subtitle'),
    address: text('address'),
    phone: text('phone'),
    hours: text('hours'),
    hstNumber: text('hstNumber'),
    timeZone: set.timeZone ?? otherwise.timeZone,
    brandHue: set.brandHue,
    domains: (set.companyDomains ?? otherwise.companyDomains ?? []).join(', '),
    mailFrom: text('mailFrom'),
    mailReplyTo: text('mailReplyTo'),
  }
}

const domainsOf = (text: string): string[] | null => {
  const domains = text.split(/[\s,;]+/).filter(Boolean)
  return domains.length === 0 ? null : domains
}

/** What differs from what was there when the form was opened: what someone else has changed in the meantime is not taken back. */
export function changesOf(draft: PracticeDraft, base: PracticeDraft): Change {
  const changed = (Object.keys(draft) as (keyof PracticeDraft)[]).filter((key) => draft[key] !== base[key])
  return Object.fromEntries(
    changed.map((key) => (key === 'domains' ? ['companyDomains', domainsOf(draft.domains)] : [key, draft[key]])),
  ) as Change
}
