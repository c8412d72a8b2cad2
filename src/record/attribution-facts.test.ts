import { expect, it } from 'vitest'
import { attributionFacts } from './attribution-facts.ts'

const unsaid = {
  at: '2026-11-20T15:04:05.000Z',
  source: 'Website Form',
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  landingPage: null,
  referrer: null,
  gclid: null,
  fbclid: null,
}

it('says nothing of what was not sent', () => {
  expect(attributionFacts(unsaid)).toEqual([])
})

it('shows the path of the landing page and the host of the referrer, with the whole address behind', () => {
  const landingPage = 'https://www.clinic.example/rhinoplasty-oakville?utm_source=google'
  const facts = attributionFacts({
    ...unsaid,
    utmSource: 'google',
    utmMedium: 'cpc',
    landingPage,
    referrer: 'https://www.google.com/search?q=a',
  })
  expect(facts).toEqual([
    { label: 'Campaign', text: 'google · cpc' },
    { label: 'Landing page', text: '/rhinoplasty-oakville', title: landingPage },
    { label: 'Referrer', text: 'google.com', title: 'https://www.google.com/search?q=a' },
  ])
})

it('keeps what is no address as it was sent', () => {
  expect(attributionFacts({ ...unsaid, landingPage: '/noses?x=1', referrer: 'a friend' })).toMatchObject([
    { text: '/noses' },
    { text: 'a friend' },
  ])
})
