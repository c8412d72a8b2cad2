import { describe, expect, it } from 'vitest'
import type { QuickReplyData } from '../inbox-data.ts'
import { findReplies, searchAfterSlash } from './find.ts'

const reply = (name: string, language: 'en' | 'fr', text: string): QuickReplyData => ({ id: name + language, name, language, text })
const replies = [
  reply('Parking', 'en', 'It is free.'),
  reply('Parking', 'fr', 'Le stationnement est gratuit.'),
  reply('Été', 'fr', 'Fermé.'),
]

describe('finding a quick reply', () => {
  it('searches names and words without accents, the patient’s language first (issue 28)', () => {
    const found = (search: string, language = 'en') => findReplies(replies, search, language).map(({ id }) => id)
    expect(found('park')).toEqual(['Parkingen', 'Parkingfr'])
    expect(found('park', 'fr')).toEqual(['Parkingfr', 'Parkingen'])
    expect(found(' GRATUIT')).toEqual(['Parkingfr'])
    expect(found('ete')).toEqual(['Étéfr'])
    expect(found('')).toHaveLength(3)
    expect(found('nothing')).toEqual([])
  })

  it.each([
    ['/', ''],
    ['/park', 'park'],
    ['/park ing', 'park ing'],
    ['see /park', null],
    ['/park\nthere', null],
    ['//', null],
    ['', null],
  ])('begins with a slash: %j (issue 28)', (text, search) => {
    expect(searchAfterSlash(text)).toBe(search)
  })
})
