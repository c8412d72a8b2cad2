import type { Attribution } from '../crm/contacts/rules.ts'

export interface AttributionFact {
  label: string
  text: string
  /** The whole of what is shown shortened. */
  title?: string
}

/** What an attribution says beside its source, for the panel; nothing for what the form did not send. */
export function attributionFacts(said: Attribution): AttributionFact[] {
  const campaign = [said.utmSource, said.utmMedium, said.utmCampaign].filter((part) => part !== null).join(' · ')
  const facts: (AttributionFact | null)[] = [
    campaign ? { label: 'Campaign', text: campaign } : null,
    said.utmTerm === null ? null : { label: 'Term', text: said.utmTerm },
    said.utmContent === null ? null : { label: 'Content', text: said.utmContent },
    said.landingPage === null ? null : { label: 'Landing page', text: pathOf(said.landingPage), title: said.landingPage },
    said.referrer === null ? null : { label: 'Referrer', text: hostOf(said.referrer), title: said.referrer },
    said.gclid === null ? null : { label: 'Google click', text: said.gclid },
    said.fbclid === null ? null : { label: 'Facebook click', text: said.fbclid },
  ]
  return facts.filter((fact) => fact !== null)
}

/** '/rhinoplasty-oakville': which page of the practice's own site it was. */
const pathOf = (page: string): string => URL.parse(page)?.pathname ?? page.replace(/[?#].*$/s, '')

const hostOf = (page: string): string => URL.parse(page)?.host.replace(/^www\./, '') || page
