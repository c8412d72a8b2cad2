import type { Attribution } from '../crm/contacts/rules.ts'

export interface AttributionFact {
  label: string
  text: string
  /** The full value where `text` is shortened. */
  title?: string
}

/** The rows of an attribution besides its source, without fields that the form did not send. */
export function attributionFacts(attribution: Attribution): AttributionFact[] {
  const campaign = [attribution.utmSource, attribution.utmMedium, attribution.utmCampaign].filter((part) => part !== null).join(' · ')
  const facts: (AttributionFact | null)[] = [
    campaign ? { label: 'Campaign', text: campaign } : null,
    attribution.utmTerm === null ? null : { label: 'Term', text: attribution.utmTerm },
    attribution.utmContent === null ? null : { label: 'Content', text: attribution.utmContent },
    attribution.landingPage === null
      ? null
      : { label: 'Landing page', text: pathOf(attribution.landingPage), title: attribution.landingPage },
    attribution.referrer === null ? null : { label: 'Referrer', text: hostOf(attribution.referrer), title: attribution.referrer },
    attribution.gclid === null ? null : { label: 'Google click', text: attribution.gclid },
    attribution.fbclid === null ? null : { label: 'Facebook click', text: attribution.fbclid },
  ]
  return facts.filter((fact) => fact !== null)
}

/** The page on the practice's own site, such as '/rhinoplasty-oakville'. */
const pathOf = (page: string): string => URL.parse(page)?.pathname ?? page.replace(/[?#].*$/s, '')

const hostOf = (page: string): string => URL.parse(page)?.host.replace(/^www\./, '') || page
