import { expect, it } from 'vitest'
import { noConsult, noteOfConsult, resultsReceived } from './consult-rules.ts'

const consult = {
  notes: 'Prefers texts.\n',
  specialistConsultType: 'Otolaryngology',
  specialistConsultReason: 'deviated septum',
  specialistNotes: null,
}

it('notes that a consult is required, with day, type and reason', () => {
  expect(noteOfConsult(consult, '2026-11-20').notes).toBe(
    'Prefers texts.\nNov 20, 2026: Specialist consult required (Otolaryngology): deviated septum',
  )
})

it('notes that results have come, in both places', () => {
  expect(resultsReceived({ ...consult, notes: null }, '2026-11-20')).toEqual({
    specialistResultsReceived: true,
    specialistResultsDate: '2026-11-20',
    notes: 'Nov 20, 2026: Specialist results received (Otolaryngology)',
    specialistNotes: 'Nov 20, 2026: Results received',
  })
})

it('clears everything of a consult that is no longer required, and no notes', () => {
  expect(Object.values(noConsult).filter(Boolean)).toEqual([])
  expect(noConsult).not.toHaveProperty('notes')
})
