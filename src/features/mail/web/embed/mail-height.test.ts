import { describe, expect, it } from 'vitest'
import { isTall, mailHeight } from './mail-height.ts'

describe('issue 7: the height of a mail', () => {
  it('grows with its words, lines and pictures, up to a limit', () => {
    const short = mailHeight('<p>Thank you</p>')
    const longer = mailHeight('<p>Thank you</p>'.repeat(10))
    expect(short).toBe(88)
    expect(longer).toBeGreaterThan(short)
    expect(mailHeight('<img alt="">'.repeat(3))).toBeGreaterThan(short)
    expect(mailHeight(`<p>${'word '.repeat(100_000)}</p>`)).toBe(560)
    expect([isTall('<p>Thank you</p>'), isTall('<br>'.repeat(500))]).toEqual([false, true])
    expect(mailHeight('<br>'.repeat(100_000), true)).toBe(20_000)
  })
})
