import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from './links.ts'

describe('links in plain-text emails', () => {
  it('are web addresses without trailing punctuation', () => {
    expect(partsOf('See https://a.example/x?y=1. Or (http://b.example).')).toEqual([
      { text: 'See ' },
      { href: 'https://a.example/x?y=1', text: 'https://a.example/x?y=1' },
      { text: '. Or (' },
      { href: 'http://b.example', text: 'http://b.example' },
      { text: ').' },
    ])
    expect(partsOf('javascript:alert(1) data:text/html,x //c.example https://')).toEqual([
      { text: 'javascript:alert(1) data:text/html,x //c.example https://' },
    ])
  })

  it('are found quickly in a text full of punctuation', () => {
    const href = `https://a.example/${'.'.repeat(200_000)}x`
    expect(partsOf(href)).toEqual([{ href, text: href }])
  })

  it('leave the text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constant('https://.'))), (words) => {
        const text = words.join(' ')
        const parts = partsOf(text)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const part of parts) if ('href' in part) expect(part.href).toMatch(/^https?:\/\//i)
      }),
    )
  })
})
