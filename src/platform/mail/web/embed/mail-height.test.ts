import { describe, expect, it } from 'vitest'
import { isTall, mailHeight } from './mail-height.ts'

const width = 600
const at = (html: string, isWhole = false) => mailHeight(html, { width, isWhole })

describe('estimated height of an email', () => {
  it('grows with text, lines and images, up to a limit', () => {
    const short = at('<p>Thank you</p>')
    expect(short).toBe(88)
    expect(at('<p>Thank you</p>'.repeat(10))).toBeGreaterThan(short)
    expect(at('<img alt="" src="cid:a">')).toBeGreaterThan(short)
    expect(at('<img alt="" src="cid:a" height="300">')).toBeGreaterThan(at('<img alt="" src="cid:a" height="200">'))
    expect(at('<img alt="">'), 'one that is not shown takes a line').toBe(short)
    expect(at(`<p>${'word '.repeat(100_000)}</p>`)).toBe(560)
    expect([isTall('<p>Thank you</p>', width), isTall('<br>'.repeat(500), width)]).toEqual([false, true])
    expect(at('<br>'.repeat(100_000), true)).toBe(20_000)
  })

  it('counts empty lines, so plain text is fully visible', () => {
    const lines = ['Good morning,', '', 'my insurer asks for a short letter.', '', 'Many thanks']
    expect(at(lines.join('<br>\n'))).toBeGreaterThanOrEqual(24 + lines.length * 22.5)
  })

  it('is greater in a narrow frame because of wrapping', () => {
    const html = `<p>${'a few words '.repeat(20)}</p>`
    expect(mailHeight(html, { width: 300 })).toBeGreaterThan(mailHeight(html, { width: 900 }))
  })

  it('ignores nested boxes', () => {
    expect(at(`${'<div>'.repeat(50)}Thank you${'</div>'.repeat(50)}`)).toBe(88)
  })
})
