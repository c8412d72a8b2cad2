import { describe, expect, it } from 'vitest'
import { documentFor, mailSandbox } from './frame-rules.ts'

const policyOf = (document: string) => /Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1]
const mail = '<p>data-remote-src="https://a.example" is text</p><img width="1" data-remote-src="https://a.example/p.gif?a=1&amp;b=2" />'

describe('issue 7: the document of the frame that shows a mail', () => {
  it('loads nothing from outside unless asked, and runs nothing', () => {
    const document = documentFor(mail, { showRemote: false })
    expect(policyOf(document)).toBe(
      "default-src 'none'; img-src data: cid:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'",
    )
    expect(document).toContain(mail)
    expect(document.indexOf('Content-Security-Policy')).toBeLessThan(document.indexOf('<p>'))
  })

  it('loads pictures when asked, over HTTPS alone, and tells no server where from', () => {
    const document = documentFor(mail, { showRemote: true })
    expect(policyOf(document)).toContain('img-src data: cid: https:;')
    expect(document).toContain('<img width="1" src="https://a.example/p.gif?a=1&amp;b=2" />')
    expect(document).toContain('<p>data-remote-src="https://a.example" is text</p>')
    expect(document).toContain('<meta name="referrer" content="no-referrer">')
  })

  it('puts a mail in as it is: what a replacement would read as a pattern stays', () => {
    expect(documentFor("<p>$& $1 $' $$</p>", { showRemote: true })).toContain("<body><p>$& $1 $' $$</p></body>")
  })

  it('lies on white, whatever the theme', () => {
    expect(documentFor('', { showRemote: false })).toMatch(/color-scheme: light; background: #fff; color: #1a1a1a/)
  })

  it('its frame may open links beside the app, and neither runs scripts nor is of our origin', () => {
    expect(mailSandbox.split(' ')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox'])
  })
})
