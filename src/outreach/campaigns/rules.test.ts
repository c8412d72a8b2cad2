import { describe, expect, it } from 'vitest'
import { linkProblem, spamSigns, winnerOf } from './rules.ts'

it.each([
  ['https://clinic.example/book', null],
  ['mailto:team@clinic.example', null],
  ['http://clinic.example', 'Not encrypted: use https'],
  ['https://localhost/x', 'Patients cannot open this address'],
  ['https://10.0.0.5/x', 'Patients cannot open this address'],
  ['javascript:alert(1)', 'This is not an address of the web'],
  ['/book', 'This is not an address of the web'],
])('the link %s has the problem %s (issue 28)', (url, problem) => {
  expect(linkProblem(url)).toBe(problem)
})

describe('signs of spam', () => {
  it.each([
    ['A spring offer', 'Come and see us.', []],
    ['Act now', 'It is guaranteed.', ['Act now', 'guaranteed']],
    ['Offre limitée', 'Essai gratuit', ['Offre limitée', 'gratuit']],
    ['BOOK YOUR VISIT', 'Hello', ['BOOK YOUR VISIT']],
    ['Come! Now!', 'Hello', ['Come! Now!']],
  ])('in %s, %s are %j (issue 28)', (subject, text, found) => {
    expect(spamSigns(subject, text).map((sign) => sign.found)).toEqual(found)
  })
})

it.each([
  [{ a: { sent: 10, acted: 3 }, b: { sent: 10, acted: 4 } }, 'b'],
  [{ a: { sent: 10, acted: 4 }, b: { sent: 20, acted: 7 } }, 'a'],
  [{ a: { sent: 10, acted: 4 }, b: { sent: 10, acted: 4 } }, 'a'],
  [{ a: { sent: 0, acted: 0 }, b: { sent: 1, acted: 1 } }, 'b'],
] as const)('the winner of %j is %s (issue 28)', (results, winner) => {
  expect(winnerOf(results)).toBe(winner)
})
