import { expect, it } from 'vitest'
import { emptyDraft, isFromText, isSame, problemsOf, sentOf, withVariable } from './draft.ts'

it('replaces the selection with a variable, and puts the caret after it', () => {
  expect(withVariable('Hello you,', 'first_name', 6, 9)).toEqual({ text: 'Hello {{first_name}},', caret: 20 })
  expect(withVariable('', 'email', 0, 0)).toEqual({ text: '{{email}}', caret: 9 })
})

it('names the missing fields, except the HTML', () => {
  expect(Object.keys(problemsOf({ ...emptyDraft, body: ' \n' }))).toEqual(['name', 'subject', 'body'])
  expect(problemsOf({ channel: 'email', name: 'a', category: 'b', subject: 'c', body: 'd', html: '' })).toEqual({})
})

it('treats HTML as generated while it matches the text, and missing HTML as custom', () => {
  const body = 'Hello <you>,\n\nsee you.\n'
  expect(isFromText({ ...emptyDraft, body, html: '<p>Hello &lt;you&gt;,</p>\n<p>see you.</p>\n' })).toBe(true)
  expect(isFromText({ ...emptyDraft, body, html: '<p>Hello,</p>' })).toBe(false)
  expect(isFromText(emptyDraft)).toBe(false)
})

it('treats empty HTML as none', () => {
  expect(sentOf({ ...emptyDraft, html: ' \n' }).variables).toEqual({ html_content: null })
  expect(isSame(emptyDraft, { ...emptyDraft })).toBe(true)
  expect(isSame(emptyDraft, { ...emptyDraft, html: 'x' })).toBe(false)
})

it('needs no subject of a text message, which has 1,600 characters at most (issue 28)', () => {
  const draft = { ...emptyDraft, channel: 'text' as const, name: 'a', category: 'b', body: 'a'.repeat(1_600), html: 'x' }
  expect(problemsOf(draft)).toEqual({})
  expect(problemsOf({ ...draft, body: `${draft.body}a` })).toEqual({ body: 'A text message has 1,600 characters at most' })
  expect(sentOf(draft)).toEqual({ name: 'a', category: 'b', body: draft.body })
})
