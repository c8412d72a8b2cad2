import type { Client } from '../../../ui/client/api.ts'

export type SettingsData = Awaited<ReturnType<Client['practice']['settings']>>
type Change = Parameters<Client['practice']['changeSettings']>[0]

/** The fields as typed. */
export interface PracticeDraft {
  name: string
  subtitle: string
  subtitleFr: string
  address: string
  phone: string
  hours: string
  hoursFr: string
  hstNumber: string
  timeZone: string | null
  brandHue: number | null
  domains: string
  mailFrom: string
  mailReplyTo: string
  photoWatermark: boolean
}

/** The values in effect: the stored setting, or the server's value. Clearing a field returns to the server's value. */
export function draftOf({ set, otherwise }: Pick<SettingsData, 'set' | 'otherwise'>): PracticeDraft {
  const text = (
    name: 'name' | 'subtitle' | 'subtitleFr' | 'address' | 'phone' | 'hours' | 'hoursFr' | 'hstNumber' | 'mailFrom' | 'mailReplyTo',
  ) => set[name] ?? otherwise[name] ?? ''
  return {
    name: text('name'),
    subtitle: text('subtitle'),
    subtitleFr: text('subtitleFr'),
    address: text('address'),
    phone: text('phone'),
    hours: text('hours'),
    hoursFr: text('hoursFr'),
    hstNumber: text('hstNumber'),
    timeZone: set.timeZone ?? otherwise.timeZone,
    brandHue: set.brandHue,
    domains: (set.companyDomains ?? otherwise.companyDomains ?? []).join(', '),
    mailFrom: text('mailFrom'),
    mailReplyTo: text('mailReplyTo'),
    photoWatermark: set.photoWatermark ?? otherwise.photoWatermark ?? false,
  }
}

const parseDomains = (text: string): string[] | null => {
  const domains = text.split(/[\s,;]+/).filter(Boolean)
  return domains.length === 0 ? null : domains
}

/** The fields edited since the form was opened, so that saving does not revert someone else's changes. */
export function changesOf(draft: PracticeDraft, base: PracticeDraft): Change {
  const changed = (Object.keys(draft) as (keyof PracticeDraft)[]).filter((key) => draft[key] !== base[key])
  return Object.fromEntries(
    changed.map((key) => (key === 'domains' ? ['companyDomains', parseDomains(draft.domains)] : [key, draft[key]])),
  ) as Change
}
