import { describe, expect, it } from 'vitest'
import { documentTypes } from '../rules.ts'
import type { DocumentData } from './document-data.ts'
import { categoryOptions, formatField, formatKindAndSize, splitName } from './labels.ts'

describe('document labels', () => {
  it('formats the kind and size', () => {
    expect(formatKindAndSize({ mimeType: 'application/pdf', size: 1_258_291 })).toBe('PDF, 1.2 MB')
    expect(formatKindAndSize({ mimeType: 'image/heic', size: 400 })).toBe('Photo, 1 KB')
  })

  it.each([
    ['scan.pdf', 'scan', '.pdf'],
    ['Dr. Okafor', 'Dr. Okafor', ''],
    ['a.b.docx', 'a.b', '.docx'],
    ['.pdf', '', '.pdf'],
  ])('splits %s into %j and %j', (name, stem, extension) => {
    expect(splitName(name)).toEqual({ stem, extension })
  })

  it('offers no category only for patient uploads', () => {
    expect(categoryOptions('photo').map(({ value }) => value)).toEqual(documentTypes.filter((type) => type !== 'patient_upload'))
    expect(categoryOptions('patient_upload')).toHaveLength(documentTypes.length)
  })

  it('formats a field changed by someone else', () => {
    const document = { name: 'a.pdf', documentType: 'lab_result', description: null, isShared: true } as DocumentData
    expect(formatField('name', document)).toBe('Name: “a.pdf”')
    expect(formatField('documentType', document)).toBe('Category: Lab result')
    expect(formatField('description', document)).toBe('Description: none')
    expect(formatField('isShared', document)).toBe('Sharing: shared with the patient')
  })
})
