import { describe, expect, it } from 'vitest'
import { clinicFileLimit, fileKinds } from '../../rules.ts'
import { acceptedExtensions, checkFile } from './check-file.ts'

describe('file check before upload', () => {
  it.each([
    ['scan.pdf', 1, null],
    ['IMG_2041.HEIC', 4_000_000, null],
    ['scan.pdf', clinicFileLimit, null],
    ['scan.pdf', clinicFileLimit + 1, 'This file is larger than 50 MB'],
    ['scan.pdf', 0, 'This file is empty'],
    ['setup.exe', 100, 'This file type is not supported. Use PDF, Word, JPEG, PNG or HEIC.'],
    ['A folder', 4096, 'This file type is not supported. Use PDF, Word, JPEG, PNG or HEIC.'],
  ])('checks %s of %i bytes: %s', (name, size, refusal) => {
    expect(checkFile({ name, size })).toBe(refusal)
  })

  it('offers exactly the accepted extensions in the file picker', () => {
    const expected = Object.values(fileKinds).flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`))
    expect(acceptedExtensions.split(',').toSorted()).toEqual(expected.toSorted())
  })
})
