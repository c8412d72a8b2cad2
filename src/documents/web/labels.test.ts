import { describe, expect, it } from 'vitest'
import { documentTypes } from '../rules.ts'
import type { DocumentData } from './document-data.ts'
import { categoryOptions, formatField, kindAndSize, partsOf } from './labels.ts'

describe('documents in words', () => {
  it('a kind with its size', () => {
    expect(kindAndSize({ mimeType: 'application/pdf', size: 1_258_291 })).toBe('PDF, 1.2 MB')
    expect(kindAndSize({ mimeType: 'image/heic', size: 400 })).toBe('Photo, 1 KB')
  })

  it.each([
    ['scan.pdf', 'scan', '.pdf'],
    ['Dr. Okafor', 'Dr. Okafor', ''],
    ['a.b.docx', 'a.b', '.docx'],
    ['.pdf', '', '.pdf'],
  ])('%s is %j and %j', (name, stem, extension) => {
    expect(partsOf(name)).toEqual({ stem, extension })
  })

  it('only what a patient sent can be without a category', () => {
    expect(categoryOptions('photo').map(({ value }) => value)).toEqual(documentTypes.filter((type) => type !== 'patient_upload'))
    expect(categoryOptions('patient_upload')).toHaveLength(documentTypes.length)
  })

  it('a field as someone else has left it', () => {
    const document = { name: 'a.pdf', documentType: 'lab_result', description: null, isShared: true } as DocumentData
    expect(formatField('name', document)).toBe('Name: “a.pdf”')
    expect(formatField('documentType', document)).toBe('Category: Lab result')
    expect(formatField('description', document)).toBe('Description: none')
    expect(formatField('isShared', document)).toBe('Sharing: shared with the patient')
  })
})
