import { describe, expect, it } from 'vitest'
import { bodyViews } from '../../rules.ts'
import { formatFormDay, formatFormNumber, formWords, regionAt, regions } from './words.ts'

/** Every text with its place; what takes a value is asked with one. */
const textsOf = (value: unknown, at = ''): [string, string][] => {
  if (typeof value === 'string') return [[at, value]]
  if (typeof value === 'function') return [[at, String((value as (...given: unknown[]) => unknown)(2, 3))]]
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${at}.${key}`))
}

describe('the words of the page for patients', () => {
  const [en, fr] = [textsOf(formWords.en), textsOf(formWords.fr)]
  it('are complete in both languages', () => {
    expect(fr.map(([at]) => at)).toEqual(en.map(([at]) => at))
    expect([...en, ...fr].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('are translated', () => {
    expect(en.filter(([, text], index) => fr[index]![1] === text).map(([at]) => at)).toEqual(['.regions.abdomen'])
  })

  it('have the spaces of Canadian French: before a colon, and not before other marks', () => {
    expect(fr.filter(([, text]) => /\S:(\s|$)|\s[?!;]/.test(text))).toEqual([])
  })

  it('format days and numbers as in Canada', () => {
    expect([formatFormDay('2026-11-27', 'en'), formatFormDay('2026-11-27', 'fr')]).toEqual(['November 27, 2026', '27 novembre 2026'])
    expect([formatFormNumber(70.5, 'en'), formatFormNumber(70.5, 'fr')]).toEqual(['70.5', '70,5'])
  })

  it('name each area of an outline by its own point', () => {
    for (const view of bodyViews) for (const region of regions[view]) expect([view, regionAt(view, region)]).toEqual([view, region.name])
    expect(regionAt('front', { x: 670, y: 205 })).toBe('shoulders')
  })
})
