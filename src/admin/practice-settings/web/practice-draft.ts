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
  /** 'HH:mm' */
  textQuietFrom: string
  textQuietTo: string
  textsPerPatient: string
  textsPerDay: string
  /** In cents, such as '0.79'. */
  textSegmentPrice: string
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
    textQuietFrom: set.textQuietFrom ?? otherwise.textQuietFrom ?? '',
    textQuietTo: set.textQuietTo ?? otherwise.textQuietTo ?? '',
    textsPerPatient: String(set.textsPerPatient ?? otherwise.textsPerPatient ?? ''),
    textsPerDay: String(set.textsPerDay ?? otherwise.textsPerDay ?? ''),
    textSegmentPrice: String((set.textSegmentPrice ?? otherwise.textSegmentPrice ?? 0) / 100),
  }
}

const parseDomains = (text: string): string[] | null => {
  const domains = text.split(/[\s,;]+/).filter(Boolean)
  return domains.length === 0 ? null : domains
}

/** The fields edited since the form was opened, so that saving does not revert someone else's changes. */
export function changesOf(draft: PracticeDraft, base: PracticeDraft): Change {
  const changed = (Object.keys(draft) as (keyof PracticeDraft)[]).filter((key) => draft[key] !== base[key])
  return Object.fromEntries(changed.map((key) => sentOf(key, draft))) as Change
}

function sentOf(key: keyof PracticeDraft, draft: PracticeDraft): [string, unknown] {
  switch (key) {
    case 'domains':
      return ['companyDomains', parseDomains(draft.domains)]
    case 'textQuietFrom':
    case 'textQuietTo':
      return [key, draft[key].trim() || null]
    case 'textsPerPatient':
    case 'textsPerDay':
      return [key, numberIn(draft[key])]
    case 'textSegmentPrice':
      return [key, numberIn(draft[key], 100)]
    default:
      return [key, draft[key]]
  }
}

/** An emptied field returns to the server's value; what is no number is refused by the server. */
const numberIn = (typed: string, times = 1): number | string | null => {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  const value = Math.round(Number(text) * times * 1e6) / 1e6
  return Number.isNaN(value) ? typed : value
}
