import { randomUUID } from 'node:crypto'
import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Contact } from './contact-contract.ts'
import {
  clinicalFields,
  columnId,
  columnsOf,
  type ContactFieldName,
  contactFieldNames,
  fieldLabels,
  fieldOf,
  filteredFields,
  filterOf,
  isOfKind,
  listedFields,
  mergeFieldNames,
} from './derived-fields.ts'
import { exportedFields, importedFields } from './file-fields.ts'
import { columnIds, columns } from './web/list/columns/layout.ts'

/** A field value as the API accepts it, as it returns it, and as a cell of a file shows it. */
interface Sample {
  given: unknown
  read: unknown
  cell: string
  /** What the list is filtered by. */
  filter?: string
}

describe('declared contact fields', () => {
  const server = useServer()
  const staff: Partial<Record<ContactFieldName, { one: Account; other: Account }>> = {}
  let client: Client
  let billing: Client
  let cookie: string
  let stages: { id: string; name: string }[]

  beforeAll(async () => {
    for (const [field, role] of [
      ['assignedSalesRepId', 'sales_rep'],
      ['assignedProviderId', 'provider'],
    ] as const)
      staff[field] = { one: await server.account({ role }), other: await server.account({ role }) }
    cookie = await server.signIn('admin')
    client = await server.as('admin')
    billing = await server.as('billing')
    stages = await client.pipeline.stages()
  })

  const text = (value: string): Sample => ({ given: value, read: value, cell: value })
  const moment = (day: string, time: string, utc: string): Sample => ({
    given: utc,
    read: utc,
    cell: `${day} ${time}`,
    filter: `${day}..${day}`,
  })

  /** The first or second of two sample values of a field. */
  function sample(name: ContactFieldName, second: boolean): Sample {
    const pick = <Value>(one: Value, other: Value) => (second ? other : one)
    const { control } = fieldOf(name)
    switch (control.kind) {
      case 'name':
        return text(pick('Éloïse', 'Zoé'))
      case 'text': {
        const value = pick(`${name} one`, `${name} two`).slice(-control.max)
        return { ...text(value), filter: value.toUpperCase().replaceAll('E', 'É') }
      }
      case 'long-text':
        return text(pick(`${name} one`, `${name} two`).slice(-control.max))
      case 'choice': {
        const [value, label] = Object.entries(control.options)[pick(0, 1)]!
        return { given: value, read: value, cell: label, filter: value }
      }
      case 'day': {
        const day = pick('2024-02-29', '2025-03-01')
        return { ...text(day), filter: `${day}..${day}` }
      }
      case 'tick':
        return { given: !second, read: !second, cell: pick('yes', 'no'), filter: pick('yes', 'no') }
      case 'amount':
        return { given: pick(1_234_50, 5), read: pick(1_234_50, 5), cell: pick('1234.50', '0.05') }
      case 'moment':
        return pick(moment('2026-03-04', '10:30', '2026-03-04T15:30:00.000Z'), moment('2026-07-01', '09:00', '2026-07-01T13:00:00.000Z'))
      case 'time':
        return text(pick('10:30', '16:45'))
      case 'email':
        return text(`${randomUUID()}@example.com`)
      case 'emails': {
        const emails = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
        return { given: emails, read: emails, cell: emails.join('; ') }
      }
      case 'phone':
        return text(pick('(905) 555-0142', '(416) 555-0199'))
      case 'phones': {
        const phones = pick(['(905) 555-0143', 'call her sister'], ['(905) 555-0144'])
        return { given: phones, read: phones, cell: phones.join('; ') }
      }
      case 'status':
        return text(pick('vip', 'inactive'))
      case 'stage': {
        const { id, name: stage } = stages[pick(1, 2)]!
        return { given: stage, read: id, cell: stage, filter: id }
      }
      case 'vocabulary': {
        const known = vocabulary[control.list][pick(0, 1)]!
        return { given: known.name, read: known.id, cell: known.name, filter: known.id }
      }
      case 'staff': {
        const { id, email } = staff[name]![pick('one' as const, 'other' as const)]
        return { given: id, read: id, cell: email, filter: id }
      }
      case 'details': {
        const details = pick({ colour: 'blue', visits: 3 }, { colour: 'green' })
        return { given: details, read: details, cell: '' }
      }
    }
  }

  const vocabulary: Record<'sources' | 'procedures', { id: string; name: string }[]> = { sources: [], procedures: [] }
  beforeAll(async () => {
    for (const name of ['Walk-in', 'Radio']) vocabulary.sources.push(await client.leadSources.create({ name: `${name} ${randomUUID()}` }))
    for (const name of ['Facelift', 'Peel']) vocabulary.procedures.push(await client.procedures.create({ name: `${name} ${randomUUID()}` }))
  })

  type Samples = Record<ContactFieldName, Sample>
  const samples = (second = false) => Object.fromEntries(contactFieldNames.map((name) => [name, sample(name, second)])) as Samples
  /** A patient with a value in every field, found by a last name of their own. */
  const add = async (values: Samples, lastName = `Field${randomUUID().slice(0, 8)}`) => {
    const all = { ...values, lastName: text(lastName) }
    const given = Object.fromEntries(Object.entries(all).map(([name, { given }]) => [name, given]))
    const created = await client.contacts.create({ firstName: '', lastName, ...given })
    return { created, values: all, lastName }
  }
  const read = (contact: object, name: ContactFieldName): unknown => Reflect.get(contact, columnsOf(name)[0] satisfies keyof Contact)
  /** The fields with an unexpected value, so that one failure names them all. */
  const wrong = (contact: object, values: Samples, names: readonly ContactFieldName[] = contactFieldNames) =>
    names.filter((name) => JSON.stringify(read(contact, name)) !== JSON.stringify(values[name].read))
  const cellsIn = async (lastName: string) => {
    const answer = await server.request(`/api/contacts/export.csv?search=${lastName}`, { headers: { cookie } })
    expect(answer.status).toBe(200)
    const [head, row] = Papa.parse<string[]>((await answer.text()).replace('\ufeff', ''), { skipEmptyLines: true }).data
    return new Map(head!.map((label, index) => [label, row?.[index]]))
  }

  it('lists the fields that exports, imports and merges leave out', () => {
    const leftOut = (names: readonly ContactFieldName[]) => contactFieldNames.filter((name) => !names.includes(name))
    // Details are more than one column; an import source is not imported again; other emails and phones go with the primary one.
    expect(leftOut(exportedFields)).toEqual(['metadata'])
    expect(leftOut(importedFields)).toEqual(['otherEmails', 'otherPhones', 'importSource', 'metadata'])
    expect(leftOut(mergeFieldNames)).toEqual(['otherEmails', 'otherPhones'])
    const labels = contactFieldNames.map((name) => fieldOf(name).label)
    expect(new Set(labels).size).toBe(labels.length)
  })

  it('creates, reads and updates each field through the API', async () => {
    const { created, values } = await add(samples())
    expect(wrong(created, values)).toEqual([])
    expect(wrong(await client.contacts.get({ id: created.id }), values)).toEqual([])
    const second = samples(true)
    const given = Object.fromEntries(contactFieldNames.map((name) => [name, second[name].given]))
    // A consult that is no longer required takes its own fields with it.
    const kept = contactFieldNames.filter((name) => fieldOf(name).form !== 'specialist' || name === 'requiresSpecialistConsult')
    expect(wrong(await client.contacts.update({ id: created.id, version: 1, ...given }), second, kept)).toEqual([])
  })

  it.each(contactFieldNames)('shows a change of %s in the history by its label, with both values', async (name) => {
    const { created, values } = await add(samples())
    const next = sample(name, true)
    const updated = await client.contacts.update({ id: created.id, version: 1, [name]: next.given })
    expect(read(updated, name)).toEqual(next.read)
    const [entry] = (await client.contacts.history({ id: created.id })).data
    const [column] = columnsOf(name)
    expect(entry?.changes).toContainEqual({ field: column, before: values[name].read, after: next.read })
    expect(fieldLabels[column]).toBe(fieldOf(name).label)
  })

  it('returns exactly the declared columns in a row of the list', async () => {
    const { values, lastName } = await add(samples())
    const [row] = (await client.contacts.list({ search: lastName })).data
    expect(wrong(row!, values, listedFields)).toEqual([])
    const covered: readonly ContactFieldName[] = [...listedFields, 'firstName', 'lastName', 'otherEmails', 'otherPhones']
    const others = contactFieldNames.filter((name) => !covered.includes(name))
    expect(others.filter((name) => columnsOf(name).some((column) => column in row!))).toEqual([])
    expect(listedFields.filter((name) => !columnIds.includes(columnId(name)))).toEqual([])
    expect(listedFields.map((name) => columns[columnId(name)].label)).toEqual(
      listedFields.map((name) => fieldOf(name).list?.label ?? fieldOf(name).label),
    )
  })

  it.each(filteredFields)('filters by %s, for patients with the value and without it', async (name) => {
    const lastName = `Filter${randomUUID().slice(0, 8)}`
    const [one, two] = [await add(samples(), lastName), await add(samples(true), lastName)]
    const find = async (filter: string) => (await client.contacts.list({ search: lastName, filter })).data.map(({ id }) => id)
    const { id } = filterOf(name)
    expect(await find(`${id}:${one.values[name].filter}`)).toEqual([one.created.id])
    expect(await find(`${id}!:${one.values[name].filter}`)).toEqual([two.created.id])
    expect(await find(`${id}:${two.values[name].filter}`)).toEqual([two.created.id])
  })

  it('fits the longest values of all filtered fields in one index entry', async () => {
    const longest = (max: number) => String.fromCodePoint(...Array.from({ length: max }, (_, i) => 0x4e00 + ((i * 7_919) % 20_000)))
    const valueOf = (name: ContactFieldName) => {
      const { control } = fieldOf(name)
      if (control.kind === 'text') return longest(control.max)
      return control.kind === 'vocabulary' ? longest(200) : sample(name, false).given
    }
    const given = Object.fromEntries(filteredFields.map((name) => [name, valueOf(name)]))
    const { id } = await client.contacts.create({ firstName: 'Ana', lastName: 'Longest', ...given })
    for (const name of filteredFields.filter((one) => isOfKind(one, 'text'))) {
      const { data } = await client.contacts.list({ filter: `${filterOf(name).id}:${valueOf(name) as string}` })
      expect(data.map((row) => row.id)).toEqual([id])
    }
  })

  it('exports a column for each field, with its label and its value', async () => {
    const { values, lastName } = await add(samples())
    const cells = await cellsIn(lastName)
    // Staff are exported by name; an import also accepts their email.
    const cell = (name: ContactFieldName) => (isOfKind(name, 'staff') ? expect.stringMatching(/^Test /) : values[name].cell)
    const labels = exportedFields.map((name) => fieldOf(name).label)
    expect(Object.fromEntries(labels.map((label) => [label, cells.get(label)]))).toEqual(
      Object.fromEntries(exportedFields.map((name) => [fieldOf(name).label, cell(name)])),
    )
  })

  it('recognizes each label as an import header, and imports each value', async () => {
    const lastName = `Import${randomUUID().slice(0, 8)}`
    const values = { ...samples(), lastName: text(lastName) }
    const body = Papa.unparse([importedFields.map((name) => fieldOf(name).label), importedFields.map((name) => values[name].cell)])
    const sent = await server.request('/api/imports?name=fields.csv', {
      method: 'POST',
      body,
      headers: { cookie, 'content-type': 'text/csv' },
    })
    expect(sent.status).toBe(201)
    const { id } = (await sent.json()) as { id: string }
    const settled = (status: string) =>
      until(async () => (await client.imports.get({ id })).status === status && client.imports.get({ id }))
    const { columns: found } = await client.imports.get({ id })
    expect(found.map(({ field }) => field)).toEqual(importedFields)
    await client.imports.check({ id, columns: found.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    expect((await settled('checked')).checked).toMatchObject({ duplicates: 0, errors: 0 })
    await client.imports.run({ id, onMatch: 'add' })
    await settled('done')
    const [row] = (await client.contacts.list({ search: lastName })).data
    expect(wrong(await client.contacts.get({ id: row!.id }), values, importedFields)).toEqual([])
  })

  it('takes each field from the chosen side in a merge', async () => {
    for (const side of ['source', 'target'] as const) {
      const [target, source] = [await add(samples(true)), await add(samples())]
      const choices = Object.fromEntries(mergeFieldNames.map((name) => [name, side]))
      const merged = await client.contacts.merge({
        id: target.created.id,
        version: 1,
        sourceId: source.created.id,
        sourceVersion: 1,
        choices,
      })
      expect([side, wrong(merged, side === 'source' ? source.values : target.values, mergeFieldNames)]).toEqual([side, []])
    }
  })

  it('hides every clinical field from billing and refuses changes to them, but shows all others', async () => {
    const { created, values } = await add(samples())
    const seen = await billing.contacts.get({ id: created.id })
    const others = contactFieldNames.filter((name) => !fieldOf(name).clinical)
    expect(wrong(seen, values, others)).toEqual([])
    expect(clinicalFields.filter((name) => read(seen, name) !== (isOfKind(name, 'tick') ? false : null))).toEqual([])
    for (const name of clinicalFields) {
      const refused = await refusal(billing.contacts.update({ id: created.id, version: 1, [name]: sample(name, true).given }))
      expect([name, refused.status, Object.keys(refused.data.fields ?? {})]).toEqual([name, 422, [name]])
    }
    expect(contactFieldNames.filter((name) => fieldOf(name).clinical && (fieldOf(name).list ?? fieldOf(name).filter))).toEqual([])
  })

  it.each(contactFieldNames.filter((name) => 'until' in fieldOf(name).control))(
    'refuses a future %s through the API and in a file',
    async (name) => {
      const { label } = fieldOf(name)
      const future = `${new Date().getUTCFullYear() + 1}-01-02`
      const refused = await refusal(client.contacts.create({ firstName: 'Ana', lastName: 'Silva', [name]: future }))
      expect([refused.status, refused.data.fields]).toEqual([422, { [name]: `${label} can't be in the future` }])
      const body = Papa.unparse([
        ['First name', 'Last name', label],
        ['Ana', 'Silva', future],
        ['Ana', 'Silva', '3/25/65'],
      ])
      const sent = await server.request('/api/imports?name=days.csv', {
        method: 'POST',
        body,
        headers: { cookie, 'content-type': 'text/csv' },
      })
      const { id } = (await sent.json()) as { id: string }
      const { columns: found } = await client.imports.get({ id })
      await client.imports.check({ id, columns: found.map(({ field, dateOrder }) => ({ field, dateOrder })) })
      const checked = await until(async () => (await client.imports.get({ id })).status === 'checked' && client.imports.get({ id }))
      expect(checked.checked).toMatchObject({ fresh: 1, errors: 1 })
    },
  )
})
