import { describe, expect, it } from 'vitest'
import { changedFields, clashesOf } from './clashes.ts'
import type { DocumentData } from './document-data.ts'

const base = {
  version: 1,
  name: 'scan.pdf',
  documentType: 'other',
  description: null,
  isShared: false,
} as DocumentData

describe('two who change one document', () => {
  it('do not meet in different fields, nor where both want the same', () => {
    expect(clashesOf(base, { ...base, version: 2, isShared: true }, { name: 'consent.pdf' })).toEqual([])
    expect(clashesOf(base, { ...base, version: 2, name: 'consent.pdf' }, { name: 'consent.pdf' })).toEqual([])
  })

  it('meet in a field that both have changed to something different', () => {
    const theirs = { ...base, version: 2, name: 'theirs.pdf', documentType: 'consent' as const }
    expect(clashesOf(base, theirs, { name: 'ours.pdf', documentType: 'consent', description: 'Signed' })).toEqual(['name'])
  })

  it('send only what is not so already', () => {
    expect(changedFields(base, { name: 'scan.pdf', description: 'Signed', isShared: false })).toEqual({ description: 'Signed' })
  })
})
