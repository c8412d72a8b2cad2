import { describe, expect, it } from 'vitest'
import { xlsxBytes } from './xlsx-file.ts'

async function* failingRows() {
  yield [['Name']]
  yield [['Anna']]
  throw new Error('The connection was lost')
}

describe('a spreadsheet with failing rows', () => {
  it('fails its reader with the cause', async () => {
    const read = async () => {
      for await (const _ of xlsxBytes(failingRows()));
    }
    await expect(read()).rejects.toThrow('The connection was lost')
  })
})
