import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayCell, type SheetCell, xlsxFile } from '../../../../test/formats/sheets.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** This process's table workers, and its ending children: without their arguments, they are listed by a name in brackets. */
function findWorkers(): { pid: number; isEnding: boolean }[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    const isEnding = args.startsWith('[')
    return Number(parent) === process.pid && (isEnding || args.includes('read-table-worker')) ? [{ pid: Number(pid), isEnding }] : []
  })
}

const killWorkers = () => {
  const found = findWorkers()
  const running = found.filter(({ isEnding }) => !isEnding)
  for (const { pid } of running) process.kill(pid, 'SIGKILL')
  return { running: running.length, found: found.length }
}
/** The pool would give a file to a worker that is ending: it has not noticed yet. */
const untilNoWorkerIsLeft = () => until(() => killWorkers().found === 0)
const untilWorkerIsKilled = () => until(() => killWorkers().running > 0)

describe('import from spreadsheets', () => {
  const server = useServer()
  let client: Client
  let cookie: string
  beforeAll(async () => {
    cookie = await server.signIn('sales_rep')
    client = await server.as('sales_rep')
  })

  const send = (body: Buffer<ArrayBuffer>, query: Record<string, string> = {}) =>
    server.request(`/api/imports?${new URLSearchParams({ name: 'patients.xlsx', ...query }).toString()}`, {
      method: 'POST',
      body,
      headers: { cookie, 'content-type': 'application/octet-stream' },
    })
  const upload = async (body: Buffer<ArrayBuffer>, query: Record<string, string> = {}) => {
    const response = await send(body, query)
    const created = (await response.json()) as { id: string }
    expect([response.status, created]).toEqual([201, { id: expect.any(String) as string }])
    return client.imports.get(created)
  }
  const untilSettled = (id: string) =>
    until(async () => {
      const now = await client.imports.get({ id })
      return !['checking', 'running', 'undoing'].includes(now.status) && now
    })
  const sheet = (rows: SheetCell[][], name = 'Patients') => ({ name, rows })

  it('imports texts, numbers, dates and empty cells as displayed, and can be undone', async () => {
    const email = `${crypto.randomUUID()}@sheet.example`
    const file = await xlsxFile([
      sheet([
        ['First Name', 'Last Name', 'Email', 'Phone', 'Surgery date', 'Total revenue', 'Company'],
        ['Zoë', 'Łukasz & Sons', email, 4_165_550_142, dayCell('2026-11-20'), 13_337.5, null],
        [],
        ['Ben', null, 'nobody'],
      ]),
    ])
    const uploaded = await upload(file)
    expect(uploaded).toMatchObject({ rows: 2, encoding: 'xlsx', fileName: 'patients.xlsx' })
    expect(uploaded.columns.find(({ header }) => header === 'Surgery date')?.samples).toEqual(['2026-11-20'])
    await client.imports.check({ id: uploaded.id, columns: uploaded.columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    expect(await untilSettled(uploaded.id)).toMatchObject({ status: 'checked', checked: { fresh: 1, errors: 1 } })
    const { data } = await client.imports.findings({ id: uploaded.id, kind: 'error' })
    expect(data.map(({ row }) => row)).toEqual([4]) // as the spreadsheet numbers it
    await client.imports.run({ id: uploaded.id, onMatch: 'skip' })
    expect(await untilSettled(uploaded.id)).toMatchObject({ status: 'done', result: { added: 1 } })
    const [patient] = (await client.contacts.list({ search: email })).data
    const whole = await client.contacts.get({ id: patient!.id })
    expect(whole).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Łukasz & Sons',
      phone: '4165550142',
      surgicalDate: '2026-11-20',
      revenueCents: 1_333_750,
    })
    await client.imports.undo({ id: uploaded.id })
    expect(await untilSettled(uploaded.id)).toMatchObject({ status: 'undone', undone: 1 })
  })

  it('reads inline texts, rich texts, formula results, booleans, 1904 dates and prefixed elements', async () => {
    const file = await xlsxFile([{ name: 'One', rows: [['a']] }], {
      parts: {
        'xl/workbook.xml':
          '<x:workbook xmlns:r="r" xmlns:x="x"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="One" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>',
        'xl/sharedStrings.xml': '<sst><si><r><t>Rich </t></r><r><t>name</t></r><rPh><t>phonetic</t></rPh></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<worksheet><sheetData><row><c t="inlineStr"><is><t>Name</t></is></c><c t="inlineStr"><is><t>Email</t></is></c><c t="inlineStr"><is><t>Surgery date</t></is></c><c t="inlineStr"><is><t>Consent</t></is></c></row>' +
          '<row><c t="s"><v>0</v></c><c t="str"><f>A1&amp;"@b"</f><v>rich@sheet.example</v></c><c s="1"><v>44887</v></c><c t="b"><v>1</v></c></row></sheetData></worksheet>',
      },
    })
    const { columns } = await upload(file)
    expect(columns.map(({ samples }) => samples)).toEqual([['Rich name'], ['rich@sheet.example'], ['2026-11-23'], ['TRUE']])
  })

  it('lists the visible sheets if there are several, and accepts the chosen one', async () => {
    const file = await xlsxFile([
      sheet([['Notes'], ['Nothing']], 'Cover & more'),
      { name: 'Hidden', rows: [['x'], ['y']], isHidden: true },
      sheet([
        ['Name', 'Email'],
        ['Ana Silva', 'ana@sheet.example'],
      ]),
    ])
    const response = await send(file)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'CHOOSE_SHEET', sheets: ['Cover & more', 'Patients'] })
    expect((await upload(file, { sheet: 'Patients' })).columns.map(({ header }) => header)).toEqual(['Name', 'Email'])
    expect((await send(file, { sheet: 'Nothing of the kind' })).status).toBe(409)
  })

  it('refuses files that are not spreadsheets, damaged, password-protected or empty, with the reason', async () => {
    const good = await xlsxFile([sheet([['Name'], ['Ana']])])
    const cases: [string, Buffer<ArrayBuffer>, string][] = [
      ['Excel 97', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'NOT_CSV'],
      ['truncated', good.subarray(0, good.length - 40), 'NOT_CSV'],
      ['a zip of something else', await xlsxFile([], { parts: { 'xl/workbook.xml': '' } }), 'NOT_CSV'],
      ['broken XML', await xlsxFile([sheet([['Name']])], { parts: { 'xl/styles.xml': '<a><b></a>' } }), 'NOT_CSV'],
      [
        'expanding entities',
        await xlsxFile([sheet([['Name']])], { parts: { 'xl/styles.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' } }),
        'NOT_CSV',
      ],
      ['headers only', await xlsxFile([sheet([['Name', 'Email']])]), 'NO_ROWS'],
      ['an empty sheet', await xlsxFile([sheet([])]), 'EMPTY_FILE'],
      [
        'a column too far right',
        await xlsxFile([sheet([['Name']])], {
          parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>' },
        }),
        'TOO_MANY_COLUMNS',
      ],
    ]
    for (const [name, file, code] of cases) {
      const response = await send(file)
      expect([name, response.status, ((await response.json()) as { code: string }).code]).toEqual([name, 422, code])
    }
    expect(await server.rows("select 1 from imports where status = 'mapping' and row_count = 0")).toEqual([])
  })

  it('refuses a zip bomb', async () => {
    const bomb = await xlsxFile([sheet([['Name']])], {
      parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${' '.repeat(30_000_000)}</sheetData></worksheet>` },
    })
    expect(bomb.byteLength).toBeLessThan(1024 * 1024)
    const response = await send(bomb)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'TOO_COMPLEX'])
  })

  it('refuses a file whose texts would not fit into memory, however few there are', async () => {
    // Incompressible data, so that the compression ratio stays below the limit.
    const text = () => `<si>${randomBytes(1_500).toString('base64')}${' '.repeat(63_000)}<t>Ana Silva of Toronto</t></si>`
    const file = await xlsxFile([sheet([['Name'], ['Ana']])], {
      parts: { 'xl/sharedStrings.xml': `<sst>${Array.from({ length: 1_100 }, text).join('')}</sst>` },
    })
    const response = await send(file)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'TOO_COMPLEX'])
  })

  const nested = '<a>'.repeat(100_000) + '</a>'.repeat(100_000)
  const inSheet = (xml: string) => ({ 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${xml}</sheetData></worksheet>` })
  it.each<[string, Record<string, string>, string, string]>([
    ['elements nested 100,000 deep', inSheet(nested), 'TOO_COMPLEX', 'nested more than 64 levels deep'],
    [
      'deeply nested elements in the shared texts',
      { 'xl/sharedStrings.xml': `<sst>${nested}</sst>` },
      'TOO_COMPLEX',
      'nested more than 64 levels deep',
    ],
    [
      'an element with 10,000 attributes',
      inSheet(`<row ${Array.from({ length: 10_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
      'TOO_COMPLEX',
      'more than 200 attributes',
    ],
    [
      '2,100,000 elements that are not cells',
      inSheet('<a/>'.repeat(2_100_000)),
      'TOO_COMPLEX',
      'more than 2,000,000 elements that are not cells',
    ],
    ['an attribute of 1 MB', inSheet(`<row a="${'x'.repeat(1_000_000)}"/>`), 'NOT_CSV', 'cannot be read'],
    ['a name of 1 MB', inSheet(`<${'x'.repeat(1_000_000)}/>`), 'NOT_CSV', 'cannot be read'],
    ['a comment of 1 MB', inSheet(`<!--${'x'.repeat(1_000_000)}-->`), 'NOT_CSV', 'cannot be read'],
    ['an attribute called hasOwnProperty', inSheet('<row hasOwnProperty="x" r="1"/>'), 'NOT_CSV', 'cannot be read'],
    [
      '200,000 cell styles',
      { 'xl/styles.xml': `<s><cellXfs>${'<xf/>'.repeat(200_000)}</cellXfs></s>` },
      'TOO_COMPLEX',
      'more than 100,000 cell styles',
    ],
    ['6,000 parts', Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`xl/${i}`, ''])), 'TOO_COMPLEX', 'more than 5,000 parts'],
    [
      'a list of parts of 5 MB',
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`xl/${i}${'x'.repeat(60_000)}`, ''])),
      'TOO_COMPLEX',
      'a list of parts of more than 4 MB',
    ],
  ])('refuses %s with the reason and advice', async (_what, parts, code, message) => {
    const response = await send(await xlsxFile([sheet([['Name'], ['Ana']])], { parts }))
    expect([response.status, await response.json()]).toEqual([422, { code, message: expect.stringContaining(message) as string }])
  })

  it('refuses the import when its worker is killed, and starts a new worker for the next file', async () => {
    const file = await xlsxFile([sheet([['Name'], ['Ana']])])
    await untilNoWorkerIsLeft()
    const pending = send(file)
    await untilWorkerIsKilled()
    const response = await pending
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'TOO_COMPLEX'])
    await upload(file)
  })

  it('limits the length of a row whose cells share one long text', async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(400)
    const file = await xlsxFile([sheet([['Name']])], {
      parts: {
        'xl/sharedStrings.xml': `<sst><si><t>${'a'.repeat(100_000)}</t></si></sst>`,
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c><v>1</v></c></row><row r="2">${cells}</row></sheetData></worksheet>`,
      },
    })
    const response = await send(file)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'ROW_TOO_LONG'])
  })

  it('reads one spreadsheet at a time, answers 429 to another, and still reads CSV files', async () => {
    const file = await xlsxFile([sheet([['Name'], ['Ana']])])
    const lock = await server.hold('lock table imports in access exclusive mode')
    const uploads = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "imports"%'`
    const waiting = (n: number) => until(async () => (await server.rows(uploads)).length === n)
    const first = send(file)
    await waiting(1)
    const second = await send(file)
    expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const csv = send(Buffer.from('Name\nAna\n'), { name: 'a.csv' })
    await waiting(2)
    await lock.release()
    expect([(await first).status, (await csv).status]).toEqual([201, 201])
    expect((await send(file)).status).toBe(201)
  })

  it.each([
    ['beyond the maximum of a sheet', '<row r="3000000000"><c><v>1</v></c></row>'],
    ['repeated', '<row r="2"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>'],
    ['out of order', '<row r="3"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>'],
    ['not a number', '<row r="two"><c><v>1</v></c></row>'],
    ['nested in another row', '<row r="2"><row r="3"><c><v>1</v></c></row><c><v>2</v></c></row>'],
  ])('refuses a row number that is %s', async (_what, rows) => {
    const file = await xlsxFile([sheet([['Name']])], {
      parts: {
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c t="str"><v>Name</v></c></row>${rows}</sheetData></worksheet>`,
      },
    })
    const response = await send(file)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'NOT_CSV'])
  })

  it('imports 2,000 rows except for 14 with errors', async () => {
    const rows = Array.from({ length: 2_000 }, (_row, i): SheetCell[] => [
      'Sheet',
      `Patient ${i}`,
      i % 146 === 7 ? `bad ${i}` : `s${i}@many.example`,
      dayCell('2026-11-20'),
    ])
    const bad = rows.filter(([, , email]) => typeof email === 'string' && email.startsWith('bad')).length
    expect(bad).toBe(14)
    const uploaded = await upload(await xlsxFile([sheet([['First Name', 'Last Name', 'Email', 'Surgery date'], ...rows])]))
    expect(uploaded.rows).toBe(2_000)
    await client.imports.check({ id: uploaded.id, columns: uploaded.columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    expect(await untilSettled(uploaded.id)).toMatchObject({ checked: { fresh: 1_986, errors: 14 } })
    await client.imports.run({ id: uploaded.id, onMatch: 'add' })
    expect(await untilSettled(uploaded.id)).toMatchObject({ status: 'done', result: { added: 1_986, errors: 14 } })
  })
})
