import { describe, expect, it } from 'vitest'
import { documentFor, mailSandbox } from './frame-rules.ts'

const policyOf = (document: string) => /Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1]
const mail = '<p>data-remote-src="https://a.example" is text</p><img width="1" data-remote-src="https://a.example/p.gif?a=1&amp;b=2" />'

describe('the document of an email frame', () => {
  it('loads nothing external by default and runs no scripts', () => {
    const document = documentFor(mail, { showRemote: false })
    expect(policyOf(document)).toBe(
      "default-src 'none'; img-src data: cid:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'",
    )
    expect(document).toContain(mail)
    expect(document.indexOf('Content-Security-Policy')).toBeLessThan(document.indexOf('<p>'))
  })

  it('loads images on request, over HTTPS only and without a referrer', () => {
    const document = documentFor(mail, { showRemote: true })
    expect(policyOf(document)).toContain('img-src data: cid: https:;')
    expect(document).toContain('<img width="1" src="https://a.example/p.gif?a=1&amp;b=2" />')
    expect(document).toContain('<p>data-remote-src="https://a.example" is text</p>')
    expect(document).toContain('<meta name="referrer" content="no-referrer">')
  })

  it('inserts an email literally, including replacement patterns', () => {
    expect(documentFor("<p>$& $1 $' $$</p>", { showRemote: true })).toContain("<body><p>$& $1 $' $$</p></body>")
  })

  it('has a white background in every theme', () => {
    expect(documentFor('', { showRemote: false })).toMatch(/color-scheme: light; background: #fff; color: #1a1a1a/)
  })

  it('has a frame that may open links in new tabs, without scripts or our origin', () => {
    expect(mailSandbox.split(' ')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox'])
  })
})
