import { expect, it } from 'vitest'
import { noConsult, noteOfConsult, resultsReceived } from './consult-rules.ts'

const consult = {
  notes: 'Prefers texts.\n',
  specialistConsultType: 'Otolaryngology',
  specialistConsultReason: 'deviated septum',
  specialistNotes: null,
}

it('adds a dated line with type and reason to the notes when a consult becomes required', () => {
  expect(noteOfConsult(consult, '2026-11-20').notes).toBe(
    'Prefers texts.\nNov 20, 2026: Specialist consult required (Otolaryngology): deviated septum',
  )
})

it('adds a dated line to both notes when results arrive', () => {
  expect(resultsReceived({ ...consult, notes: null }, '2026-11-20')).toEqual({
    specialistResultsReceived: true,
    specialistResultsDate: '2026-11-20',
    notes: 'Nov 20, 2026: Specialist results received (Otolaryngology)',
    specialistNotes: 'Nov 20, 2026: Results received',
  })
})

it('clears every consult field but not the notes when the consult is no longer required', () => {
  expect(Object.values(noConsult).filter(Boolean)).toEqual([])
  expect(noConsult).not.toHaveProperty('notes')
})
