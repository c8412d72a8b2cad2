import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFields, leadBodies } from '../../../../test/lead-bodies.ts'
import { attributionOf } from './attribution.ts'

const at = new Date('2026-11-20T15:04:05Z')
const emptyAttribution = {
  at: at.toISOString(),
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
const facebook = { source: 'Facebook', utmCampaign: 'Consults 2026', utmTerm: 'GTA 30-55', utmContent: 'Autumn consults' }

/** The attribution in those of test/lead-bodies that contain any. */
const expected: Record<string, Partial<typeof emptyAttribution> | Record<string, string>> = {
  'html-form.txt': { utmSource: 'google ads' },
  'webflow.json': { landingPage: 'https://www.clinic.example/consult' },
  'webflow-v1.json': {},
  'typeform.json': { utmSource: 'instagram', gclid: 'xxxxx' },
  'typeform-contact-info.json': {},
  'facebook-lead.json': facebook,
  'facebook-lead-names.json': { source: 'Facebook' },
  'facebook-leadgen-notification.json': {},
  'elementor.txt': {
    landingPage: 'https://www.clinic.example/consult/?utm_source=google&utm_campaign=noses',
    utmSource: 'google',
    utmCampaign: 'noses',
  },
  'elementor-advanced.txt': { landingPage: 'https://www.clinic.example/consult/' },
  'google-ads.json': { source: 'Google Ads', gclid: 'Cj0KCQiA-gclid' },
  'hubspot.json': { landingPage: 'https://www.clinic.example/?gclid=abc', gclid: 'abc' },
  'tiktok.json': { source: 'TikTok', utmCampaign: 'Autumn consults' },
  'linkedin.json': { source: 'LinkedIn' },
  'unbounce.txt': { landingPage: 'http://go.clinic.example/facelift/' },
  'gravity-forms.json': { landingPage: 'https://www.clinic.example/contact/' },
  'gravity-forms.txt': { landingPage: 'https://www.clinic.example/contact/' },
}

describe('attribution sent by form tools', () => {
  it.each(leadBodies.filter(({ file }) => file in expected))('$file', async (lead) => {
    const { file } = lead
    expect(attributionOf(await readFields(lead), 'Website Form', at)).toEqual({ ...emptyAttribution, ...expected[file] })
  })

  it('reads hidden fields with common names, in any shape', () => {
    const hidden = {
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'noses',
      utm_term: 'rhinoplasty oakville',
      utm_content: 'b',
      landing_page: '/rhinoplasty-oakville',
      referrer: 'https://www.google.com/',
      gclid: 'g1',
      fbclid: 'f1',
    }
    const read = {
      ...emptyAttribution,
      utmSource: 'google',
      utmMedium: 'cpc',
      utmCampaign: 'noses',
      utmTerm: 'rhinoplasty oakville',
      utmContent: 'b',
      landingPage: '/rhinoplasty-oakville',
      referrer: 'https://www.google.com/',
      gclid: 'g1',
      fbclid: 'f1',
    }
    expect(attributionOf(hidden, 'Website Form', at)).toEqual(read)
    expect(attributionOf({ form_response: { hidden, answers: [] } }, 'Website Form', at)).toEqual(read)
    expect(attributionOf({ payload: { data: hidden } }, 'Website Form', at)).toEqual(read)
    expect(attributionOf({ 'UTM Source': 'google', 'Landing Page': '/a' }, 'x', at)).toMatchObject({
      utmSource: 'google',
      landingPage: '/a',
    })
  })

  it('falls back to the query string of the landing page for missing fields', () => {
    const page = 'https://www.clinic.example/noses?utm_source=bing&utm_medium=cpc&gclid=g2'
    expect(attributionOf({ page_url: page, utm_source: 'google' }, 'x', at)).toMatchObject({
      landingPage: page,
      utmSource: 'google',
      utmMedium: 'cpc',
      gclid: 'g2',
    })
    expect(attributionOf({ landing_page: 'javascript:alert(1)?utm_source=x' }, 'x', at)).toMatchObject({ utmSource: null })
  })

  it('returns a complete attribution that fits its columns for any input', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('utm_source', 'landing_page', 'gclid', 'source', 'payload'), fc.jsonValue()), (body) => {
        const read = attributionOf(body, 'x', at)
        expect(Object.keys(read).toSorted()).toEqual(Object.keys(emptyAttribution).toSorted())
      }),
    )
    expect(attributionOf({ utm_source: '🙂'.repeat(1000) }, 'x', at).utmSource?.isWellFormed()).toBe(true)
  })
})
