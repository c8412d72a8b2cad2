import { expect, it } from 'vitest'
import { emptyDraft, isSame, problemsOf, sentOf, withVariable } from './draft.ts'

it('a variable takes the place of what is chosen, and the caret stands behind it', () => {
  expect(withVariable('Hello you,', 'first_name', 6, 9)).toEqual({ text: 'Hello {{first_name}},', caret: 20 })
  expect(withVariable('', 'email', 0, 0)).toEqual({ text: '{{email}}', caret: 9 })
})

it('names what is missing; the HTML may be', () => {
  expect(Object.keys(problemsOf({ ...emptyDraft, body: ' \n' }))).toEqual(['name', 'subject', 'body'])
  expect(problemsOf({ name: 'a', category: 'b', subject: 'c', body: 'd', html: '' })).toEqual({})
})

it('HTML that is empty is none', () => {
  expect(sentOf({ ...emptyDraft, html: ' \n' }).variables).toEqual({ html_content: null })
  expect(isSame(emptyDraft, { ...emptyDraft })).toBe(true)
  expect(isSame(emptyDraft, { ...emptyDraft, html: 'x' })).toBe(false)
})
