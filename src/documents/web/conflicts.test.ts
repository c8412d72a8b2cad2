import { describe, expect, it } from 'vitest'
import { changedFields, clashesOf } from './conflicts.ts'
import type { DocumentData } from './document-data.ts'

const base = {
  version: 1,
  name: 'scan.pdf',
  documentType: 'other',
  description: null,
  isShared: false,
} as DocumentData

describe('conflicting edits of a document', () => {
  it('do not clash in different fields or with equal values', () => {
    expect(clashesOf(base, { ...base, version: 2, isShared: true }, { name: 'consent.pdf' })).toEqual([])
    expect(clashesOf(base, { ...base, version: 2, name: 'consent.pdf' }, { name: 'consent.pdf' })).toEqual([])
  })

  it('clash in a field changed to different values', () => {
    const theirs = { ...base, version: 2, name: 'theirs.pdf', documentType: 'consent' as const }
    expect(clashesOf(base, theirs, { name: 'ours.pdf', documentType: 'consent', description: 'Signed' })).toEqual(['name'])
  })

  it('send only changed fields', () => {
    expect(changedFields(base, { name: 'scan.pdf', description: 'Signed', isShared: false })).toEqual({ description: 'Signed' })
  })
})
