import { describe, expect, it } from 'vitest'
import { acceptedFiles, formatBytes, rejectionText, viewOf, zipEntryNames, zipName } from './labels.ts'

describe('the zip', () => {
  it('is named after the day (spec 9)', () => expect(zipName('2026-11-20')).toBe('documents_2026-11-20.zip'))
  it('has unique, safe and non-empty entry names', () =>
    expect(
      zipEntryNames([
        { id: '1', name: 'scan.pdf' },
        { id: '2', name: 'Scan.PDF' },
        { id: '3', name: '../../etc/passwd' },
        { id: '4', name: '  ' },
        { id: '5', name: 'a\u202Efdp.exe' },
      ]),
    ).toEqual(['scan.pdf', 'Scan (2).PDF', 'passwd', 'document_4', 'a fdp.exe']))
})

describe('accepted files', () => {
  it('are listed by type and extension', () => {
    expect(acceptedFiles['application/pdf']).toEqual(['.pdf'])
    expect(acceptedFiles['image/heic']).toEqual(['.heic', '.heif'])
  })
  it('have the rejection messages of spec 5', () => {
    expect(rejectionText({ code: 'file-invalid-type', message: '' }, 'en')).toBe('File type must be one of PDF, Word, JPEG, PNG, HEIC')
    expect(rejectionText({ code: 'file-too-large', message: '' }, 'en')).toBe('File is larger than 10485760 bytes')
    expect(rejectionText({ code: 'file-too-large', message: '' }, 'fr').replaceAll('\u00a0', ' ')).toBe('Ce fichier dépasse 10 Mo')
    expect(rejectionText({ code: 'too-many-files', message: 'Too many files' }, 'en')).toBe('Too many files')
  })
  it('map to the viewer’s modes', () => {
    expect(viewOf('application/pdf')).toBe('pdf')
    expect(viewOf('image/heic')).toBe('image')
    expect(viewOf('application/msword')).toBe('none')
  })
})

describe('the size of a file', () => {
  it.each([
    [12, '1 KB', '1 ko'],
    [348_160, '340 KB', '340 ko'],
    [1_258_291, '1.2 MB', '1,2 Mo'],
  ])('%d bytes are %s, in French %s', (bytes, english, french) =>
    expect([formatBytes(bytes, 'en'), formatBytes(bytes, 'fr')].map((text) => text.replaceAll('\u00a0', ' '))).toEqual([english, french]),
  )
})
