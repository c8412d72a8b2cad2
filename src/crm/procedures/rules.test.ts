import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocksOf, formatLength, frenchTitle } from './rules.ts'

it.each([
  [45, '45 min'],
  [60, '1 h'],
  [210, '3 h 30 min'],
])('formats %i minutes as %s', (minutes, text) => {
  expect(formatLength(minutes)).toBe(text)
})

describe('instructions', () => {
  const shown = (text: string) => blocksOf(text).map((block) => (block.kind === 'list' ? block.items.map((item) => item.text) : block.text))

  it('are paragraphs and lists', () => {
    const text = 'Eat nothing.\nDrink water.\n\nBring:\n- your health card\n• a friend\n\n- a list of its own\nThen rest.'
    expect(shown(text)).toEqual([
      'Eat nothing.\nDrink water.',
      'Bring:',
      ['your health card', 'a friend'],
      ['a list of its own'],
      'Then rest.',
    ])
    expect(shown(' \n-\n- \n')).toEqual(['-'])
    const lines = blocksOf(text).map(({ line }) => line)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('lose no word of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Rest', '- walk', '', '  * drink', 'well-known 5 - 6', '- ')), (lines) => {
        const words = (text: string) => text.match(/[a-z0-9]+/gi) ?? []
        expect(words(shown(lines.join('\n')).flat().join(' '))).toEqual(words(lines.join(' ')))
      }),
    )
  })
})

const french = [
  { id: '1', name: 'Rhinoplasty', nameFr: 'Rhinoplastie' },
  { id: '2', name: 'Chin implant', nameFr: 'Implant de menton' },
  { id: '3', name: 'Fat transfer, face', nameFr: 'Greffe de gras au visage' },
]
it.each([
  ['rhinoplasty', 'Rhinoplastie'],
  ['Rhinoplasty, Chin implant', 'Rhinoplastie, Implant de menton'],
  ['Fat transfer, face', 'Greffe de gras au visage'],
  ['Rhinoplasty, second opinion', null],
  ['Rhinoplasty for Zoë', null],
  ['', null],
])('translates the title %j as %j: only names of procedures', (title, expected) => {
  expect(frenchTitle(title, french)).toBe(expected)
})
