import type { Attribution } from '../contacts/rules.ts'
import type { Fields } from './labels.ts'
import { fieldSets } from './shapes.ts'

type Said = keyof Omit<Attribution, 'at'>

/** The names under which forms and their hidden fields send where a visitor came from, in the order in which they are looked at. */
const names: Record<Said, readonly string[]> = {
  source: ['source', 'lead_source'],
  utmSource: ['utm_source', 'utmSource'],
  utmMedium: ['utm_medium', 'utmMedium'],
  utmCampaign: ['utm_campaign', 'utmCampaign'],
  utmTerm: ['utm_term', 'utmTerm'],
  utmContent: ['utm_content', 'utmContent'],
  landingPage: ['landing_page', 'landingPage', 'landing_page_url', 'landing_url', 'page_url', 'pageUrl'],
  referrer: ['referrer', 'referer', 'referrer_url', 'http_referer'],
  gclid: ['gclid'],
  fbclid: ['fbclid'],
}
const parts = Object.keys(names) as Said[]

/** Addresses of pages may be longer than words. */
const longest = (part: Said) => (part === 'landingPage' || part === 'referrer' ? 2000 : 300)

/**
 * Where a lead came from, out of its body in any of the shapes that form tools send; what no field says is read from the query of the page it
 * was sent from. `sourceName` is the lead source whose form it was.
 */
export function attributionOf(body: Fields, sourceName: string, at: Date): Attribution {
  const sets = fieldSets(body)
  const sent = (part: Said) => firstText(sets, names[part])
  const query = queryOf(sent('landingPage'))
  const found = parts.map((part): [Said, string | null] => {
    const value = sent(part) ?? (part === 'source' ? sourceName : firstText([query], names[part]))
    return [part, value && value.slice(0, longest(part)).toWellFormed()]
  })
  return { at: at.toISOString(), ...(Object.fromEntries(found) as Record<Said, string | null>) }
}

/** The first that is not empty among these names: every set is asked for all of them before the next one. */
function firstText(sets: readonly Fields[], candidates: readonly string[]): string | null {
  for (const fields of sets) {
    for (const name of candidates) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (typeof value === 'string' && value.trim() !== '') return value.trim()
    }
  }
  return null
}

/** Only a web address has a query that means anything here; a path alone may have one too. */
function queryOf(page: string | null): Fields {
  const url = page === null ? null : URL.parse(page, 'https://page.invalid')
  return url && /^https?:$/.test(url.protocol) ? Object.fromEntries(url.searchParams) : {}
}
