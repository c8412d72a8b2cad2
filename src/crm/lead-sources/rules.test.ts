import { describe, expect, it } from 'vitest'
import { sourceGroup } from './rules.ts'

describe('display groups of lead sources (spec 9)', () => {
  it.each([
    ['referral', 'Referral'],
    ['Google Organic', 'Google Organic'],
    ['google_local', 'Google Local'],
    ['GOOGLE CPC', 'Google CPC'],
    ['google ads', 'Google CPC'],
    ['Google-Ads', 'Google CPC'],
    ['social media', 'Social Media'],
    ['Facebook', 'Social Media'],
    ['instagram ads', 'Social Media'],
    ['my facebook page', 'Social Media'],
    [' website form ', 'Website Form'],
    ['phone inquiry', 'Phone Inquiry'],
    ['Phone Call', 'Phone Inquiry'],
    ['website', 'Website'],
    ['agency test', 'Agency Test'],
    ['uncle bob', 'Uncle Bob'],
    ['Tiktok', 'TikTok'],
    ['linkedin_ads', 'LinkedIn Ads'],
    ['youtube', 'YouTube'],
    ['realself', 'RealSelf'],
    ['ÉCOLE de danse', 'École De Danse'],
    ['', 'Unknown'],
    ['  ', 'Unknown'],
    [null, 'Unknown'],
    [undefined, 'Unknown'],
    ['constructor', 'Constructor'],
    ['__proto__', 'Proto'],
  ])('%j is shown as %j', (source, group) => expect(sourceGroup(source)).toBe(group))
})
