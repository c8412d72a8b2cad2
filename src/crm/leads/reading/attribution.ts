import type { Attribution } from '../../contacts/rules.ts'
import type { Fields } from './field-labels.ts'
import { fieldSets } from './read-body.ts'

type AttributionField = keyof Omit<Attribution, 'at'>

/** The field names under which forms send attribution, in order of precedence. */
const names: Record<AttributionField, readonly string[]> = {
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
const parts = Object.keys(names) as AttributionField[]

/** URLs may be longer than other values. */
const maxLength = (part: AttributionField) => (part === 'landingPage' || part === 'referrer' ? 2000 : 300)

/**
 * Reads the attribution of a lead from its body, in any shape that form tools send. Missing values come from the query string of the
 * landing page. `sourceName`: the lead source of the form.
 */
export function attributionOf(body: Fields, sourceName: string, at: Date): Attribution {
  const sets = fieldSets(body)
  const sentValue = (part: AttributionField) => firstText(sets, names[part])
  const query = queryOf(sentValue('landingPage'))
  const found = parts.map((part): [AttributionField, string | null] => {
    const value = sentValue(part) ?? (part === 'source' ? sourceName : firstText([query], names[part]))
    return [part, value && value.slice(0, maxLength(part)).toWellFormed()]
  })
  return { at: at.toISOString(), ...(Object.fromEntries(found) as Record<AttributionField, string | null>) }
}

/** The first non-empty value under these names. All names are tried in one set of fields before the next. */
export function firstText(sets: readonly Fields[], candidates: readonly string[]): string | null {
  for (const fields of sets) {
    for (const name of candidates) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (typeof value === 'string' && value.trim() !== '') return value.trim()
    }
  }
  return null
}

/** The query parameters of a page URL or path. Other schemes have none. */
function queryOf(page: string | null): Fields {
  const url = page === null ? null : URL.parse(page, 'https://page.invalid')
  return url && /^https?:$/.test(url.protocol) ? Object.fromEntries(url.searchParams) : {}
}
