import { text } from 'node:stream/consumers'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { insertContact, insertOneOfEach } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { useTemporaryFiles } from '../../test/documents/temporary-files.ts'
import { until } from '../../test/until.ts'
import { readSheet } from '../admin/imports/reading/xlsx.ts'

describe('exporting lists as CSV and XLSX', () => {
  const server = useServer()
  const keep = useTemporaryFiles()

  const get = async (path: string, cookie?: string) =>
    server.request(path, { headers: { cookie: cookie ?? (await server.signIn('admin')) } })
  const csvOf = async (path: string) => Papa.parse<string[]>(await (await get(path)).text(), { skipEmptyLines: true }).data
  const sheetOf = async (path: string) => {
    const answer = await get(path)
    expect([path, answer.status, answer.headers.get('content-disposition')?.endsWith('.xlsx')]).toEqual([path, 200, true])
    const rows: string[][] = []
    for await (const { cells } of readSheet(keep(Buffer.from(await answer.arrayBuffer())), null))
      rows.push(Array.from(cells, (cell) => cell ?? ''))
    return rows
  }
  const sheetXml = async (file: Buffer): Promise<string> => {
    const zip = await yauzl.fromBufferPromise(file, { lazyEntries: true })
    for await (const entry of zip.eachEntry())
      if (entry.fileName === 'xl/worksheets/sheet1.xml') return text(await zip.openReadStreamPromise(entry))
    return ''
  }

  it.each([
    '/api/contacts/export',
    '/api/tasks',
    '/api/appointments',
    '/api/surgeries',
    '/api/conversations',
    '/api/pos/receipts',
    '/api/collections/outstanding',
  ])('exports the same rows of %s in both formats and audits their number', async (path) => {
    await insertOneOfEach(server)
    const query = path === '/api/tasks' ? '?show=everyone' : ''
    const [csv, sheet] = [await csvOf(`${path}.csv${query}`), await sheetOf(`${path}.xlsx${query}`)]
    const filled = (rows: string[][]) => rows.map((row) => row.join('|').replace(/\|+$/, '').replaceAll("|'", '|'))
    expect(filled(sheet)).toEqual(filled(csv))
    const answer = await get(`${path}.xlsx${query}`)
    await answer.arrayBuffer()
    const audit = await server.rows<{ rows: number; format: string }>(
      "select (after->>'rows')::int as rows, after->>'format' as format from audit_log where request_id = $1 and action = 'exported'",
      [answer.headers.get('x-request-id')],
    )
    expect(audit.reduce((sum, { rows }) => sum + rows, 0)).toBe(csv.length - 1)
    expect(audit.every(({ format }) => format === 'xlsx')).toBe(true)
  })

  it('neutralises formulas in both, and keeps amounts and dates', async () => {
    const evil = '=HYPERLINK("http://evil.example","Click")'
    await insertContact(server, { firstName: evil, lastName: 'Formula', notes: '@SUM(A1)\u0007 <b>&' })
    const path = (format: string) => `/api/contacts/export.${format}?search=Formula&columns=firstName,notes`
    const [, row] = await csvOf(path('csv'))
    expect(row![0]).toBe(`'${evil}`)
    const answer = await get(path('xlsx'))
    const file = Buffer.from(await answer.arrayBuffer())
    const xml = await sheetXml(file)
    expect(xml).not.toMatch(/<f[ >]/)
    expect(xml).toContain('t="inlineStr" s="1"')
    expect((await sheetOf(path('xlsx')))[1]![0]).toBe(evil)
  })

  it("applies the list's filters and permissions, excluding others' tasks", async () => {
    const title = crypto.randomUUID()
    const [mine, other] = [await server.account({ role: 'billing' }), await server.account({ role: 'billing' })]
    await server.client(mine.cookie).tasks.create({ title, dueDate: '2199-01-31', assigneeIds: [mine.id] })
    const titles = async (cookie: string) => (await get('/api/tasks.csv?show=everyone', cookie)).text()
    expect(await titles(mine.cookie)).toContain(title)
    expect(await titles(other.cookie)).not.toContain(title)
    expect((await get('/api/tasks.csv?due=never')).status).toBe(422)
    expect((await get('/api/appointments.csv?from=2026-02-30')).status).toBe(422)
    expect(await csvOf('/api/appointments.csv?from=2150-01-01&to=2150-12-31')).toHaveLength(1)
  })

  it('streams many rows in batches and stops when the reader disconnects', async () => {
    await server.rows(
      `insert into contacts (first_name, last_name, notes, funnel_stage) select 'N' || i, 'Manyrows', repeat(md5(i::text), 60), (select id from funnel_stages where value = 'lead') from generate_series(1, 3000) as i`,
    )
    expect(await sheetOf('/api/contacts/export.xlsx?search=Manyrows&columns=firstName')).toHaveLength(3_001)
    for (let i = 0; i < 4; i++) {
      const abort = new AbortController()
      const answer = await until(async () => {
        const sent = await fetch(`${server.url}/api/contacts/export.xlsx?search=Manyrows`, {
          headers: { cookie: await server.signIn('admin') },
          signal: abort.signal,
        })
        return sent.status === 200 && sent
      })
      await answer.body!.getReader().read()
      abort.abort()
    }
    const busy = `select count(*)::int as n from pg_stat_activity where query like '%from lines%' and state like 'idle in transaction%' and datname = current_database()`
    await until(async () => (await server.rows<{ n: number }>(busy))[0]!.n === 0)
  })
})
