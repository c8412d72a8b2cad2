import { randomInt, randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { type ChildRow, childRowsOf, insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContacts } from '../../../test/factories.ts'
import { type Client, useServer } from '../../../test/server.ts'

/** `MERGE_RACES=500 npx vitest run src/admin/merges/races` runs 500 races instead of 30. */
const races = Number(process.env.MERGE_RACES ?? 30)
const server = useServer()
let clients: Client[]
beforeAll(async () => {
  clients = [await server.as('admin'), await server.as('sales_rep'), server.client((await server.account({ role: 'sales_rep' })).cookie)]
})

const anyClient = () => clients[randomInt(clients.length)]!
type Result = { status: number; code?: string; mergeId?: string }
const resultOf = (call: Promise<unknown>): Promise<Result> =>
  call.then(
    (value) => ({ status: 200, mergeId: (value as { mergeId?: string } | undefined)?.mergeId ?? '' }),
    ({ status, code }: { status: number; code: string }) => ({ status, code }),
  )
const shuffled = <Item>(items: Item[]) =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** Identifies a row by values that no merge changes. */
const identity = ({ name, row }: ChildRow) => `${name} ${String(row.id ?? row.tag_id)}`

it(`loses no rows and never answers 5xx in ${races} races of opposite merges, undos, edits and new child rows`, async () => {
  const statuses = new Map<string, number>()
  for (let race = 0; race < races; race++) {
    const ids = (await insertContacts(server, [{ firstName: 'One' }, { firstName: 'Two' }, { firstName: 'Three' }])) as [
      string,
      string,
      string,
    ]
    const [a, b, c] = ids
    await Promise.all(ids.map((id) => insertChildRows(server, id)))
    const before = await childRowsOf(server, ids)
    const tag = await clients[0]!.tags.create({ name: randomUUID() })
    const note = `during race ${race}`
    const merge = (id: string, sourceId: string) => () =>
      resultOf(
        anyClient().contacts.merge({ id, sourceId, version: 1, sourceVersion: 1, choices: { city: 'source', funnelStage: 'source' } }),
      )
    const mergeAndUndo = (id: string, sourceId: string) => async () => {
      const merged = await merge(id, sourceId)()
      return merged.mergeId ? resultOf(anyClient().contacts.undoMerge({ id: merged.mergeId })) : merged
    }
    const write = (id: string) => [
      () => resultOf(anyClient().contacts.update({ id, version: 1, city: `City ${race}` })),
      () => resultOf(anyClient().interactions.create({ contactId: id, type: 'call', description: note })),
      () => resultOf(anyClient().contacts.addTag({ id, tagId: tag.id })),
    ]
    const all = [merge(a, b), merge(b, a), mergeAndUndo(b, c), mergeAndUndo(c, b), ...ids.flatMap(write)]
    const results = await Promise.all(shuffled(all).map((call) => call()))
    for (const { status, code } of results) statuses.set(`${status} ${code ?? ''}`, (statuses.get(`${status} ${code ?? ''}`) ?? 0) + 1)

    const after = await childRowsOf(server, ids)
    const alive = new Set((await server.rows<{ id: string }>('select id from contacts where id = any($1)', [ids])).map(({ id }) => id))
    expect(
      after.every((row) => alive.has(row.contact_id)),
      'no orphan',
    ).toBe(true)
    expect(alive.size).toBeGreaterThan(0)
    // Of two health cards a merge keeps one, and the other for its undo.
    const dropped = await server.rows<ChildRow>("select place as name, row from contact_merge_rows where kind = 'dropped'")
    const remaining = new Set([...after, ...dropped].map(identity))
    expect(
      before.map(identity).filter((row) => !remaining.has(row)),
      'every child row is still there',
    ).toEqual([])
    expect(new Set(after.map(({ name, contact_id, row }) => `${name} ${contact_id} ${String(row.id ?? row.tag_id)}`)).size).toBe(
      after.length,
    )
  }
  const seen = Object.fromEntries([...statuses].toSorted())
  if (process.env.MERGE_RACES) process.stdout.write(`${races} races: ${JSON.stringify(seen)}\n`)
  expect(Object.keys(seen).filter((status) => Number(status.slice(0, 3)) >= 500)).toEqual([])
}, 1_200_000)

it('keeps every successfully logged call in the timeline of a patient who still exists', async () => {
  for (let race = 0; race < races / 3; race++) {
    const ids = await insertContacts(server, [{}, {}])
    const [a, b] = ids as [string, string]
    const note = `logged in race ${race}`
    const log = (contactId: string) => resultOf(anyClient().interactions.create({ contactId, type: 'call', description: note }))
    const merge = (id: string, sourceId: string) => resultOf(anyClient().contacts.merge({ id, sourceId, version: 1, sourceVersion: 1 }))
    const results = await Promise.all([merge(a, b), log(a), log(b), log(b), merge(b, a), log(a)])
    const logged = [1, 2, 3, 5].filter((i) => results[i]?.status === 200).length
    const found = await server.rows(
      'select 1 from interactions join contacts on contacts.id = contact_id where interactions.description = $1',
      [note],
    )
    expect(found).toHaveLength(logged)
  }
}, 300_000)
