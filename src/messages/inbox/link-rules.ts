/** The path of short links in text messages. */
export const textLinkPath = '/s'

/** What a link in a text message opens. */
export const textLinkPurposes = ['appointment', 'offer', 'form', 'consent', 'portal'] as const
export type TextLinkPurpose = (typeof textLinkPurposes)[number]

/** The pages for patients whose addresses are shortened, by the first part of their path. */
const purposes: Record<string, TextLinkPurpose> = {
  appointment: 'appointment',
  offer: 'offer',
  forms: 'form',
  consents: 'consent',
  portal: 'portal',
  patientdocuments: 'portal',
}

/** How long a link works, unless what it opens ends sooner. */
const textLinkDays = 14
/** For how long a link that was opened can be opened again: a response may be lost, and a browser may be left for another. */
export const reopenMinutes = 15
/** How long a link that has expired still says so, and can be replaced. */
export const keptDays = 90

/** `used`: it was opened before. */
export const textLinkStates = ['ready', 'used', 'expired'] as const
export type TextLinkState = (typeof textLinkStates)[number]

export function textLinkState(now: Date, { openedAt, expiresAt }: { openedAt: Date | null; expiresAt: Date }): TextLinkState {
  if (openedAt && openedAt.getTime() + reopenMinutes * 60_000 <= now.getTime()) return 'used'
  return expiresAt <= now ? 'expired' : 'ready'
}

/** When a link that is made now expires. */
export const expiryOf = (now: Date, until: Date | null): Date => {
  const latest = new Date(now.getTime() + textLinkDays * 86_400_000)
  return until && until < latest ? until : latest
}

/** A text as a pattern that matches only itself. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The addresses of pages for patients in a text, each once. `path` is the rest after `appUrl`. */
export function patientLinksIn(text: string, appUrl: string): { url: string; path: string; purpose: TextLinkPurpose }[] {
  // What ends a sentence is no part of an address.
  const pattern = new RegExp(
    `${escaped(appUrl)}(/(?:(portal|patientdocuments)(?![\\w/-])|(appointment|offer|forms|consents)/[\\w-]+)(?:\\?[\\w%=&.~+-]*[\\w%=])?(?:#[\\w-]+)?)`,
    'gi',
  )
  const found = [...text.matchAll(pattern)].map(([url, path = '', page, item]) => ({
    url,
    path,
    purpose: purposes[(page ?? item ?? '').toLowerCase()]!,
  }))
  return [...new Map(found.map((link) => [link.url, link])).values()]
}
