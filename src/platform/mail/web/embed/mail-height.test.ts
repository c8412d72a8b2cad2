import { describe, expect, it } from 'vitest'
import { isTall, mailHeight } from './mail-height.ts'

const width = 600
const at = (html: string, isWhole = false) => mailHeight(html, { width, isWhole })

describe('issue 7: the height of a mail', () => {
  it('grows with its words, lines and pictures, up to a limit', () => {
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

  it('an empty line is a line: what is written as plain text is seen whole', () => {
    const lines = ['Good morning,', '', 'my insurer asks for a short letter.', '', 'Many thanks']
    expect(at(lines.join('<br>\n'))).toBeGreaterThanOrEqual(24 + lines.length * 22.5)
  })

  it('what wraps in a narrow frame is higher there', () => {
    const html = `<p>${'a few words '.repeat(20)}</p>`
    expect(mailHeight(html, { width: 300 })).toBeGreaterThan(mailHeight(html, { width: 900 }))
  })

  it('boxes within boxes are no lines of their own', () => {
    expect(at(`${'<div>'.repeat(50)}Thank you${'</div>'.repeat(50)}`)).toBe(88)
  })
})
