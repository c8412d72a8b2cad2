import { describe, expect, it } from 'vitest'
import { clinicFileLimit, fileKinds } from '../../rules.ts'
import { accepted, refusalOf } from './check-file.ts'

describe('a file before it is sent', () => {
  it.each([
    ['scan.pdf', 1, null],
    ['IMG_2041.HEIC', 4_000_000, null],
    ['scan.pdf', clinicFileLimit, null],
    ['scan.pdf', clinicFileLimit + 1, 'This file is larger than 50 MB'],
    ['scan.pdf', 0, 'This file is empty'],
    ['setup.exe', 100, 'This type of file cannot be taken. PDF, Word, JPEG, PNG and HEIC can.'],
    ['A folder', 4096, 'This type of file cannot be taken. PDF, Word, JPEG, PNG and HEIC can.'],
  ])('%s of %i bytes: %s', (name, size, refusal) => {
    expect(refusalOf({ name, size })).toBe(refusal)
  })

  it('the file chooser offers what is taken, and nothing else', () => {
    const taken = Object.values(fileKinds).flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`))
    expect(accepted.split(',').toSorted()).toEqual(taken.toSorted())
  })
})
