import { describe, expect, it } from 'vitest'
import { linkMail, plainMail } from './rules.ts'

describe('a plain email', () => {
  const letter = linkMail('ana@example.com', {
    subject: 'Hello',
    paragraphs: ['Hello <b>"Ana" & co</b>,'],
    link: { label: "Ana's link", url: 'https://refyne.example/x?a=1&b="2"' },
    closing: 'Bye',
  })
  it('has its link alone on a line of the text', () => expect(letter.text.split('\n')).toContain('https://refyne.example/x?a=1&b="2"'))
  it('escapes typed text', () => {
    expect(letter.html).toContain('Hello &lt;b&gt;&quot;Ana&quot; &amp; co&lt;/b&gt;,')
    expect(letter.html).toMatch(/<a href="https:\/\/refyne\.example\/x\?a=1&amp;b=&quot;2&quot;" style="[^"]+">Ana&#39;s link<\/a>/)
  })
})

describe('a text email', () => {
  const letter = plainMail('ana@example.com', { subject: 'Hello', text: 'Hello Ana,\n\n<b>first</b>\r\nsecond\n \nBye & thanks' })
  it('has the text as typed', () => expect(letter.text).toBe('Hello Ana,\n\n<b>first</b>\r\nsecond\n \nBye & thanks'))
  it('has the same paragraphs and lines in HTML, escaped', () =>
    expect(letter.html).toBe('<p>Hello Ana,</p>\n<p>&lt;b&gt;first&lt;/b&gt;<br>\nsecond</p>\n<p>Bye &amp; thanks</p>'))
})
