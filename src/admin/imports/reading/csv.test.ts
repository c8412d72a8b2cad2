import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byteOrderMark, csvLine, defuse, undefuse } from '../../../shared/csv.ts'
import { importRowLimit } from '../contract.ts'
import { CsvError, createEncodingDetector, readRows } from './csv.ts'

let folder: string
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'refyne-csv-'))
})
afterAll(() => fs.rm(folder, { recursive: true }))

/** Reads a file as an upload does. Returns the rows, or the code of the refusal. */
async function read(bytes: Uint8Array | string): Promise<string[][] | string> {
  const file = path.join(folder, 'file.csv')
  await fs.writeFile(file, bytes)
  try {
    const detector = createEncodingDetector()
    const all = await fs.readFile(file)
    for (let at = 0; at < all.length; at += 1000) detector.addChunk(all.subarray(at, at + 1000))
    const rows: string[][] = []
    for await (const { cells } of readRows(file, detector.encoding())) rows.push(cells)
    return rows
  } catch (error) {
    if (error instanceof CsvError) return error.refusal.code
    throw error
  }
}
const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('CSV files', () => {
  it.each<[string, Uint8Array | string, string[][]]>([
    [
      'a byte order mark',
      `${byteOrderMark}a,b\r\n1,2\r\n`,
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line feeds only',
      'a,b\n1,2\n3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'carriage returns only',
      'a,b\r1,2\r3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'mixed line endings',
      'a,b\r\n1,2\n3,4\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'semicolons',
      'a;b\r\n"1;5";2,5\r\n',
      [
        ['a', 'b'],
        ['1;5', '2,5'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'more commas in a cell than columns',
      'a;b\n"1,2,3,4,5";"x"',
      [
        ['a', 'b'],
        ['1,2,3,4,5', 'x'],
      ],
    ],
    ['one column', 'Name\nSilva\nGrün', [['Name'], ['Silva'], ['Grün']]],
    [
      'line breaks in cells',
      'a,b\r\n"one\r\ntwo","x"\r\n"three\nfour",y',
      [
        ['a', 'b'],
        ['one\r\ntwo', 'x'],
        ['three\nfour', 'y'],
      ],
    ],
    [
      'quotation marks in cells',
      'a,b\n"say ""hi""",""""',
      [
        ['a', 'b'],
        ['say "hi"', '"'],
      ],
    ],
    [
      'empty rows and blanks',
      '\n\n a , b \n,,\n 1 ,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'the same header twice',
      'a,a\n1,2',
      [
        ['a', 'a'],
        ['1', '2'],
      ],
    ],
    ['rows of different lengths', 'a,b,c\n1\n1,2,3,4', [['a', 'b', 'c'], ['1'], ['1', '2', '3', '4']]],
    [
      'any Unicode',
      'a,b\nNguyễn 🦊,Adébáyọ̀',
      [
        ['a', 'b'],
        ['Nguyễn 🦊', 'Adébáyọ̀'],
      ],
    ],
    [
      'Windows-1252',
      latin('a;b\r\nGr\u00fcn;caf\u00e9 \u0080\r\n'),
      [
        ['a', 'b'],
        ['Grün', 'café €'],
      ],
    ],
    [
      'UTF-16',
      utf16('a\tb\r\nGrün\t1\r\n'),
      [
        ['a', 'b'],
        ['Grün', '1'],
      ],
    ],
    [
      'formulas, defused or not',
      "a,b\n'=1+1,=1+1\n'+1,'plain",
      [
        ['a', 'b'],
        ['=1+1', '=1+1'],
        ['+1', "'plain"],
      ],
    ],
    ['an empty file', '', []],
  ])('reads %s', async (_what, bytes, rows) => {
    expect(await read(bytes)).toEqual(rows)
  })

  it('reads 300 columns', async () => {
    const cells = Array.from({ length: 300 }, (_, i) => `c${i}`)
    expect(await read(`${cells.join(',')}\n${cells.join(',')}\n`)).toEqual([cells, cells])
  })

  it('reads characters and line endings that span chunks', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [`é🦊${i}`, `"${i}"\r\n${'x'.repeat(i % 7)}`])
    expect(await read(rows.map(csvLine).join(''))).toEqual(rows.map(([a, b]) => [a, b!.trim()]))
  })

  it.each([
    ['an archive', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 1, 2, 3]), 'NOT_CSV'],
    ['a cell of 10 MB', `a,b\n${'x'.repeat(10 * importRowLimit)},1\n`, 'ROW_TOO_LONG'],
    ['an unclosed quotation mark', `a,b\n"x,1\n${'y,2\n'.repeat(importRowLimit)}`, 'ROW_TOO_LONG'],
    ['600 columns', `${'x,'.repeat(600)}\n`, 'TOO_MANY_COLUMNS'],
  ])('refuses %s', async (_what, bytes, code) => {
    expect(await read(bytes)).toBe(code)
  })

  it('reads back any written table, except for surrounding whitespace', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', "'", ',', ';', '\r', '\n', '\t', '=', '+', '-', '@', ' ', 'a', '1') }),
    )
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const stored = rows.map((row) => row.map((text) => text.replaceAll('\0', '').toWellFormed().trim()))
        const file = byteOrderMark + csvLine(['a', 'b', 'c']) + stored.map(csvLine).join('')
        expect(await read(file)).toEqual([['a', 'b', 'c'], ...stored.filter((row) => row.some(Boolean))])
      }),
      { numRuns: 300 },
    )
  })
})

describe('protection against formulas in exports', () => {
  it.each([
    '=1+1',
    '+SUM(A1)',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\rx',
    "=cmd|' /C calc'!A0",
    '+1+cmd',
    '+1-1',
    '+1-416-555-0101',
    '-5',
    '-1.00+1',
    '-1,000.00',
  ])('escapes %j', (text) => {
    expect(defuse(text)).toBe(`'${text}`)
  })

  it.each(['+1 416 555 0101', '+14165550101', '+44 (0)20 7946 0018', '+1 (416) 555-0101 x204', '-113.00', 'a=1', '', "it's", "'quoted'"])(
    'leaves %j unchanged',
    (text) => {
      expect(defuse(text)).toBe(text)
    },
  )

  it('leaves no cell that starts like a formula except phone numbers and amounts, and can be reversed', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '1', ' ', 'x', '(', '.') }))
    fc.assert(
      fc.property(text, (cell) => {
        const safe = defuse(cell)
        if (/^[=+\-@\t\r]/.test(safe)) expect(safe).toMatch(/^(\+[\d\s().x-]*|-\d+\.\d\d)$/)
        expect(undefuse(safe)).toBe(cell)
      }),
      { numRuns: 2_000 },
    )
  })
})
