import { describe, expect, it } from 'vitest'
import { xlsxBytes } from './xlsx-file.ts'

async function* failingRows() {
  yield [['Name']]
  yield [['Anna']]
  throw new Error('The database is gone')
}

describe('issue 9: a spreadsheet whose rows fail', () => {
  it('fails anyone who reads it, with the cause, and no one else', async () => {
    const read = async () => {
      for await (const _ of xlsxBytes(failingRows()));
    }
    await expect(read()).rejects.toThrow('The database is gone')
  })
})
