import { expect, it } from 'vitest'
import { attributionFacts } from './attribution-facts.ts'

const emptyAttribution = {
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

it('returns nothing for fields that were not sent', () => {
  expect(attributionFacts(emptyAttribution)).toEqual([])
})

it('shows the path of the landing page and the host of the referrer, with the full URL as the title', () => {
  const landingPage = 'https://www.clinic.example/rhinoplasty-oakville?utm_source=google'
  const facts = attributionFacts({
    ...emptyAttribution,
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

it('keeps values that are not URLs as they were sent', () => {
  expect(attributionFacts({ ...emptyAttribution, landingPage: '/noses?x=1', referrer: 'a friend' })).toMatchObject([
    { text: '/noses' },
    { text: 'a friend' },
  ])
})
