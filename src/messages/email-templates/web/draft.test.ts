import { expect, it } from 'vitest'
import { emptyDraft, isFromText, isSame, problemsOf, sentOf, withVariable } from './draft.ts'

it('a variable takes the place of what is chosen, and the caret stands behind it', () => {
  expect(withVariable('Hello you,', 'first_name', 6, 9)).toEqual({ text: 'Hello {{first_name}},', caret: 20 })
  expect(withVariable('', 'email', 0, 0)).toEqual({ text: '{{email}}', caret: 9 })
})

it('names what is missing; the HTML may be', () => {
  expect(Object.keys(problemsOf({ ...emptyDraft, body: ' \n' }))).toEqual(['name', 'subject', 'body'])
  expect(problemsOf({ name: 'a', category: 'b', subject: 'c', body: 'd', html: '' })).toEqual({})
})

it('HTML is from the text while it says no more; none is not', () => {
  const body = 'Hello <you>,\n\nsee you.\n'
  expect(isFromText({ ...emptyDraft, body, html: '<p>Hello &lt;you&gt;,</p>\n<p>see you.</p>\n' })).toBe(true)
  expect(isFromText({ ...emptyDraft, body, html: '<p>Hello,</p>' })).toBe(false)
  expect(isFromText(emptyDraft)).toBe(false)
})

it('HTML that is empty is none', () => {
  expect(sentOf({ ...emptyDraft, html: ' \n' }).variables).toEqual({ html_content: null })
  expect(isSame(emptyDraft, { ...emptyDraft })).toBe(true)
  expect(isSame(emptyDraft, { ...emptyDraft, html: 'x' })).toBe(false)
})
