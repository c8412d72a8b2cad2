import { describe, expect, it } from 'vitest'
import { parseColumn, formatSerialDate, isDateFormat, formatNumber, unescapeText } from './xlsx-cells.ts'

describe('spreadsheet cells as text', () => {
  it.each([
    [45_000, false, '2023-03-15'],
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [46_349.5, false, '2026-11-23 12:00'],
    [46_349.999_99, false, '2026-11-24'],
    [0.604_166_666_7, false, '14:30'],
    [0, false, '00:00'],
    [0, true, '00:00'],
    [44_887, true, '2026-11-23'],
    [-1, false, null],
    [300_000, false, null],
    [Number.NaN, false, null],
  ])('formats day %d (1904 system: %s) as %s', (serial, from1904, text) => expect(formatSerialDate(serial, from1904)).toBe(text))

  it.each([
    ['9.055550142E9', '9055550142'],
    ['19.989999999999998', '19.99'],
    ['0.1', '0.1'],
    ['-12.5', '-12.5'],
    ['42', '42'],
    ['', ''],
    ['text', 'text'],
  ])('formats the number %s as %s', (written, text) => expect(formatNumber(written)).toBe(text))

  it.each([
    [14, undefined, true],
    [22, undefined, true],
    [0, undefined, false],
    [2, undefined, false],
    [164, 'yyyy\\-mm\\-dd', true],
    [165, '[$-409]d-mmm-yy;@', true],
    [166, '[h]:mm', true],
    [167, '"day" 0.00', false],
    [168, '[Red]#,##0.00', false],
    [169, '_-* #,##0.00_-', false],
    [170, 'General', false],
    [171, '[$$-1009]#,##0.00', false],
  ])('detects whether format %d %s shows dates: %s', (id, code, shows) => expect(isDateFormat(id, code)).toBe(shows))

  it('parses cell addresses and escaped characters', () => {
    expect([
      parseColumn('A1'),
      parseColumn('Z9'),
      parseColumn('AA10'),
      parseColumn('XFD1'),
      parseColumn('nonsense'),
      parseColumn(undefined),
    ]).toEqual([0, 25, 26, 16_383, null, null])
    expect(unescapeText('a_x000D_b_x0041_')).toBe('a\rbA')
  })
})
